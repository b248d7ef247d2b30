/** Path of the updates page. */
export const UPDATES_PATH = '/system/updates'

/** Path of the page of a release. */
export const releasePath = (version: string): string =>
  `${UPDATES_PATH}/releases/${encodeURIComponent(version)}`
