// Texts of the form that creates an instance.

export const advancedTitle = 'Advanced'
export const noDefaultPoolTitle = 'No default IP pool'
export const noDefaultPoolText =
  'Instances use an address from the silo’s default IP pool for outbound connections, but the silo has no default pool. An administrator can set one.'
export const networkingTitle = 'Networking'
export const configurationTitle = 'Configuration'
export const siloImagesLabel = 'Silo images'
export const projectImagesLabel = 'Project images'
export const existingDisksLabel = 'Existing disks'
export const newDiskLabel = 'New disk'
export const bootDiskTitle = 'Boot disk'
export const bootDiskHelp = 'The disk that the instance starts from.'
export const nothingToStartFromText =
  'There are no images or disks to start from yet. A new disk is blank, without an operating system.'
export const bootDiskLabel = 'Boot disk'
export const siloImagePlaceholder = 'Select a silo image'
export const noSiloImagesTitle = 'No silo images found'
export const noSiloImagesHelp = 'Promote a project image to see it here'
export const projectImagePlaceholder = 'Select a project image'
export const noProjectImagesTitle = 'No project images found'
export const noProjectImagesHelp = 'Upload an image to see it here'
export const uploadImageLabel = 'Upload image'
export const imageLabel = 'Image'
export const blankDiskHelp = 'The new disk is blank.'
export const diskTooSmallError = (minimum: number) =>
  `Must be as large as selected image (min. ${minimum} GiB)`
export const diskNameLabel = 'Disk name'
export const diskNameHelp = 'Leave blank to generate a name.'
export const diskNameTakenError = 'Name is already in use'
export const noDetachedDisksTitle = 'No detached disks found'
export const noDetachedDisksHelp = 'Only detached disks can be used as a boot disk'
export const diskLabel = 'Disk'
export const diskPlaceholder = 'Select a disk'
export const diskHelp = 'Disks that are not attached to an instance.'
export const hostnameHelp = 'Leave blank to use the instance’s name.'
export const userDataLabel = 'User Data'
export const userDataHelp =
  'A cloud-init script or configuration of up to 32 KiB. The guest reads it when it first starts.'
export const noDisksText = (
  <>
    <span className="block font-medium text-fg">No disks</span>
    Add a disk to see it here
  </>
)
export const tooManyDisksError = (most: number) => `An instance can have at most ${most} disks`
export const additionalDisksTitle = 'Additional disks'
export const disksLabel = 'Disks'
export const removeDiskLabel = (name: string) => `Remove disk ${name}`
export const createDiskLabel = 'Create new disk'
export const attachDiskLabel = 'Attach existing disk'
export const ipLabel = 'IP'
export const floatingIpsTitle = 'Floating IPs'
export const floatingIpsFailedTitle = 'Could not load the floating IPs'
export const floatingIpsLoadingLabel = 'Loading floating IPs'
export const noFloatingIpsText = (
  <>
    <span className="block font-medium text-fg">No floating IPs found</span>
    Create a floating IP to attach it to this instance
  </>
)
export const floatingIpsLabel = 'Floating IPs'
export const removeFloatingIpLabel = (name: string) => `remove floating IP ${name}`
export const noFloatingIpsError = 'No floating IPs available'
export const attachFloatingIpLabel = 'Attach floating IP'
export const floatingIpHelp = 'This instance will be reachable at the selected IP'
export const attachLabel = 'Attach'
export const groupsTitle = 'Anti-affinity groups'
export const groupsHelp = 'Members of a group are placed on different sleds.'
export const groupsLabel = 'Anti-affinity groups'
export const removeGroupLabel = (name: string) => `remove anti-affinity group ${name}`
export const addGroupLabel = 'Add to group'
export const hardwareTitle = 'Hardware'
export const hardwareHelp = 'You can change vCPUs and memory later, while the instance is stopped.'
export const hardwareLabel = 'Hardware'
export const presetLabel = (ncpus: number, memory: number) => `${ncpus} CPU ${memory} gibibytes RAM`
export const cpuLabel = 'CPUs'
export const noInterfaceLabel = 'None'
export const defaultInterfaceLabel = 'Default'
export const customInterfaceLabel = 'Custom'
export const interfaceLabel = 'Network interface'
export const vpcLabel = 'VPC'
export const subnetLabel = 'Subnet'
export const noInterfacesError = 'Add at least one network interface'
export const interfacesLabel = 'Network Interfaces'
export const removeInterfaceLabel = (name: string) => `remove network interface ${name}`
export const tooManyInterfacesError = (most: number) =>
  `An instance can have at most ${most} network interfaces`
export const addInterfaceLabel = 'Add network interface'
export const ephemeralIpTitle = 'Ephemeral IP'
export const ephemeralIpHelp =
  'An address from an IP pool that stays with the instance until you detach it or delete the instance. It cannot be moved to another instance.'
export const ephemeralIpLabel = 'Allocate and attach an ephemeral IP address'
export const ephemeralPoolLabel = 'IP pool for ephemeral IP'
export const defaultPoolPlaceholder = (pool: string) => `${pool} (default)`
export const keyKeptText =
  'The key is added to your profile, even if you do not create this instance.'
export const authenticationTitle = 'Authentication'
export const authenticationHelp =
  'Anyone with one of these keys can connect to the instance. Manage your keys in your settings.'
export const keysFailedTitle = 'Could not load your SSH keys'
export const noKeysText = (
  <>
    <span className="block font-medium text-fg">No SSH keys</span>
    Add a key to see it here
  </>
)
export const keysLabel = 'SSH keys'
export const addKeyLabel = 'Add SSH Key'
export const keysText =
  'Keys are copied to the instance by cloud-init when it is created. Keys that you add later are not.'
export const createTitle = 'Create instance'
export const createLabel = 'Create instance'
export const startLabel = 'Start Instance'
export const userDataError = 'The file could not be read. Select it again.'
export const imageRequiredError = 'Image required'
export const diskRequiredError = 'Disk required'
export const presetCpusText = (ncpus: number) => (
  <>
    {ncpus} <span className="font-normal text-fg-muted">vCPUs</span>
  </>
)
export const presetMemoryText = (memory: number) => (
  <>
    {memory} <span className="font-normal text-fg-muted">GiB RAM</span>
  </>
)
