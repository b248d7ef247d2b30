import type { PageDocs } from '~/ui/page-header'

/** What the inventory is, for the info button of the screens about hardware. */
export const inventoryDocs: PageDocs = {
  heading: 'inventory',
  summary:
    'The inventory lists the hardware that Croft runs on. Sleds are servers with physical disks that run instances. Racks hold the sleds, and switches connect them.',
  links: [
    { label: 'Server Sleds', href: '/explorer?operation=sled_list' },
    { label: 'Storage', href: '/explorer?operation=physical_disk_list' },
  ],
}
