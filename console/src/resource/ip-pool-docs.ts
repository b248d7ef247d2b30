import * as text from '~/messages/ip-pool'
import type { PageDocs } from '~/ui/page-header'

/** What an IP pool is, for the info button of the screens about pools. */
export const ipPoolDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [{ label: text.poolsLabel, href: '/explorer?operation=ip_pool_create' }],
}
