import type { PageDocs } from '~/ui/page-header'

/** What the inventory is, for the info button of the screens about hardware. */
export const inventoryDocs: PageDocs = {
  heading: 'inventory',
  summary:
    'The inventory is the hardware that Croft runs on. Sleds are the servers that instances run on, with their physical disks; racks hold them, and switches connect them.',
  links: [
    { label: 'Server Sleds', href: '/explorer?operation=sled_list' },
    { label: 'Storage', href: '/explorer?operation=physical_disk_list' },
  ],
}
