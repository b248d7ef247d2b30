/** Texts about the inventory. */

export const docsTitle = 'Learn about inventory'
export const docsHelp =
  'The inventory lists the hardware that Croft runs on. Sleds are servers with physical disks that run instances. Racks hold the sleds, and switches connect them.'
export const sledsLabel = 'Server Sleds'
export const storageLabel = 'Storage'
