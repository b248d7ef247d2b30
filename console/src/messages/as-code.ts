/** Forms and resources as commands, calls and Terraform. */

export const formatsLabel = 'Formats'
export const formatLabel = { cli: 'CLI', api: 'API', terraform: 'Terraform' }
export const copyLabel = 'Copy code'
export const codeLabel = 'Code'
export const secretsHelp =
  'Secrets are left out. Replace the placeholders that begin with $ before you run this.'
export const terraformSecretsHelp =
  'Secrets are left out. Terraform asks for the variables that stand for them.'
export const noTerraformText =
  'The Terraform provider has no resource for this. Use the CLI or the API instead.'
export const incompleteText = 'Fill in the required fields to see the code.'
export const changeArgumentsText = 'Change these arguments where the resource is declared.'
export const resourceTitle = 'Code'
export const unreadableTitle = 'The code cannot be shown'
export const unreadableError = 'The resource could not be read. Try again.'
export const metadataHelp =
  'Replace $METADATA with the metadata of the identity provider: its XML as Base64.'
const shared = 'How to read this resource, and how to create it again.'
/** What is said above the code of something that exists. */
export const resourceHelp = {
  project: shared,
  'ssh-key': shared,
  image: `${shared} Replace $SNAPSHOT_ID with the ID of a snapshot that has the content of the image.`,
  disk: `${shared} A new disk has the content that this one began with, not what was written since.`,
  snapshot: `${shared} A new snapshot has the content that the disk has then.`,
  'floating-ip': shared,
  instance: `${shared} Its disks have the content that they began with. User data and the SSH keys of other users are left out.`,
  'anti-affinity-group': shared,
  vpc: `${shared} The firewall rules are those of the VPC.`,
  subnet: shared,
  router: shared,
  'internet-gateway': shared,
  route: shared,
  'firewall-rules':
    'How to read the firewall rules of this VPC, and how to set them again. They are read and set together.',
  'network-interface': shared,
  silo: `${shared} Users, identity providers, certificates and the admin group are left out.`,
  'ip-pool': `${shared} Its ranges and the silos that it is linked to are those of now.`,
  'alert-receiver': shared,
  'identity-provider': shared,
  'local-user': shared,
  'support-bundle':
    'How to read this support bundle, and how to collect another one. A new one has the state of the system at that time.',
  'trust-root': shared,
  rack: 'How to read this rack. No call makes one.',
  switch: 'How to read this switch. No call makes one.',
  'physical-disk': 'How to read this disk. No call makes one.',
  sled: 'How to read this sled, and how to add it when it is in the rack.',
  release: 'How to read this release, and how to upload its repository again.',
}
