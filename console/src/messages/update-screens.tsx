/** Texts of the screens for updates. */

export const releaseActionsLabel = 'Release actions'
export const trustRootAddedToast = 'Trust root added'
export const addTrustRootTitle = 'Add trust root'
export const rootRoleFileHelp = 'Its text is copied to the field below.'
export const rootRoleLabel = 'Root role'
export const rootRoleHelp =
  'A signed root role of The Update Framework (TUF), as JSON. It must be signed by the required number of its own keys.'
export const findReleaseTitle = 'Find release'
export const findReleaseLabel = 'Find release'
export const releaseVersionHelp = 'The system version that the repository contains.'
export const noTrustRootError = 'Add a trust root first, so that the repository can be verified'
export const uploadRepositoryLabel = 'Upload repository'
export const repositoriesTitle = 'Repositories'
export const repositoriesHelp =
  'Each repository contains one release. The API does not list repositories, so find a release by its version.'
export const targetReleaseTitle = 'Target release'
export const targetReleaseHelp =
  'The release that the system should run. Nothing is installed automatically.'
export const versionLabel = 'Version'
export const noTargetReleaseText = 'Not set'
export const setOnLabel = 'Set on'
export const generationLabel = 'Generation'
export const rootRoleTitle = 'Root role'
export const copyJsonLabel = 'Copy JSON'
export const doneLabel = 'Done'
export const readRootRoleFailedTitle = 'Could not read the root role'
export const readingTheRootRoleLabel = 'Reading the root role'
export const idLabel = 'ID'
export const signaturesLabel = 'Signatures'
export const expiresLabel = 'Expires'
export const expiredLabel = 'expired'
export const trustRootDeletionQuestion =
  'Repositories that only this root role verifies are no longer accepted. Repositories that are already uploaded are kept.'
export const trustRootDeletedToast = 'Trust root deleted'
export const addTrustRootLabel = 'Add trust root'
export const viewJsonLabel = 'View JSON'
export const trustRootsHelp =
  'An update repository is accepted if one of these root roles verifies it.'
export const trustRootsLabel = 'Trust roots'
export const noTrustRootsTitle = 'No trust roots'
export const noTrustRootsHelp = 'Add the root role of your update publisher to upload repositories'
export const uploadRepositoryTitle = 'Upload repository'
export const uploadLabel = 'Upload'
export const archiveHelp =
  'A zip archive of at most 4 GiB with a signed repository. One of the trusted root roles must verify it.'
export const cancelUploadLabel = 'Cancel upload'
export const sendingArchiveHelp = 'Sending the archive'
export const verifyingArchiveHelp = 'The server is verifying the archive'
export const uploadProgressLabel = 'Upload progress'
export const releasesLabel = 'Releases'
export const updatesTitle = 'Updates'
export const updatesLabel = 'Updates'
export const nameLabel = 'name'
export const kindLabel = 'Kind'
export const sizeLabel = 'Size'
export const sha256Label = 'SHA-256'
export const isTargetReleaseError = 'This is the target release'
export const setTargetReleaseLabel = 'Set target release'
export const artifactsTitle = 'Artifacts'
export const artifactsLabel = 'Artifacts'
export const noArtifactsTitle = 'No artifacts'
export const noArtifactsHelp = 'The repository contains no artifacts'
export const targetReleaseLabel = 'Target release'
export const targetLabel = 'target'
export const notTargetLabel = 'no'
export const validUntilLabel = 'Valid until'
export const fileLabel = 'File'
export const targetsRoleLabel = 'Targets role'
export const signaturesText = (threshold: number, keys: number) =>
  `${threshold} of ${keys} ${keys === 1 ? 'key' : 'keys'}`
export const repositoryUploadedToast = (version: string) => (
  <>
    Repository of <b>{version}</b> uploaded
  </>
)
export const repositoryKnownToast = (version: string) => (
  <>
    Repository of <b>{version}</b> had already been uploaded
  </>
)
export const uploadedBytesText = (sent: string, total: string) => `${sent} of ${total}`
