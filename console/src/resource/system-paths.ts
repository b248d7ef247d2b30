/** Path of the list of IP pools. */
export const IP_POOLS_PATH = '/system/networking/ip-pools'

/** Path of the inventory. */
export const INVENTORY_PATH = '/system/inventory'

/** Path of the list of sleds. */
export const SLEDS_PATH = `${INVENTORY_PATH}/sleds`
