import * as text from '~/messages/utilization'
import type { PageDocs } from '~/ui/page-header'

/** What the utilization screens are for. */
export const utilizationDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [{ label: text.apiLabel, href: '/explorer?operation=utilization_view' }],
}
