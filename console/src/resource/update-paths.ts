/** Where updates are looked after. */
export const UPDATES_PATH = '/system/updates'

/** Page of the repository of a version of the system. */
export const releasePath = (version: string): string =>
  `${UPDATES_PATH}/releases/${encodeURIComponent(version)}`
