import * as text from '~/messages/inventory'
import type { PageDocs } from '~/ui/page-header'

/** Explains the inventory in the info panel of the hardware screens. */
export const inventoryDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    { label: text.sledsLabel, href: '/explorer?operation=sled_list' },
    { label: text.storageLabel, href: '/explorer?operation=physical_disk_list' },
  ],
}
