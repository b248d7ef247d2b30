/** Path of the list of support bundles. */
export const SUPPORT_BUNDLES_PATH = '/system/support-bundles'
