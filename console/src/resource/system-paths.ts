/** Where the IP pools are listed. */
export const IP_POOLS_PATH = '/system/networking/ip-pools'

/** Where the hardware is listed. */
export const INVENTORY_PATH = '/system/inventory'

/** Where the sleds are listed. */
export const SLEDS_PATH = `${INVENTORY_PATH}/sleds`
