import * as text from '~/messages/ip-pool'
import type { PageDocs } from '~/ui/page-header'

/** Explains IP pools in the info panel of their screens. */
export const ipPoolDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [{ label: text.poolsLabel, href: '/explorer?operation=ip_pool_create' }],
}
