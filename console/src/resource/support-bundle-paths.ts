/** Where the support bundles are listed. */
export const SUPPORT_BUNDLES_PATH = '/system/support-bundles'
