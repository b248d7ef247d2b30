/** Projects that are exported as code. */
import { commaList } from '~/lib/text'

const wordList = (words: readonly string[]) => commaList(words, 'and')

export const exportTitle = 'Export as code'
export const exportHelp =
  'Each file creates the project and everything in it again. Run the script with bash; Terraform needs the provider oxidecomputer/oxide.'
export const limitsTitle = 'What is not the same'
export const saveTerraformLabel = 'Download Terraform'
export const saveScriptLabel = 'Download script'
export const failedTitle = 'The project could not be exported'
export const failedError = 'A part of the project could not be read. Try again.'
export const scriptText = (project: string) =>
  `Creates the project ${project} and everything in it with calls of the API, in an empty place.`
export const scriptUseText =
  'Set CROFT_TOKEN to an access token. CROFT_HOST names another server, CROFT_PROJECT another name for the project.'
export const terraformText = (project: string) =>
  `The project ${project} and everything in it, for the provider oxidecomputer/oxide.`
export const terraformDefaultsText =
  'A new project has the VPC default, and a new VPC has the subnet default. They are looked up and not created, so they may differ from those of this project.'
export const lackingText = (what: readonly string[]) =>
  `The provider has nothing for these, so they are left out: ${wordList(what)}.`
export const contentText =
  'Left out: the content of disks that was written after they were created.'
export const blankDisksText = (disks: readonly string[]) =>
  `These disks began with a snapshot or an image that is not there in another project. They are empty: ${wordList(disks)}.`
export const snapshotsText = (snapshots: readonly string[]) =>
  `Left out: snapshots (${wordList(snapshots)}).`
export const imagesText = (images: readonly string[]) =>
  `Left out: images of the project (${wordList(images)}).`
export const userDataText =
  'Left out: user data of instances, which may hold secrets, and the SSH keys of other users.'
export const addressesText =
  'External addresses come from the same pools, but they are other addresses: those of this project are in use.'
export const accessText = 'Left out: who has access to the project.'
