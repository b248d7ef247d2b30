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
}
