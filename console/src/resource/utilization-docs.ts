import * as text from '~/messages/utilization'
import type { PageDocs } from '~/ui/page-header'

/** Explains utilization in the info panel of its screens. */
export const utilizationDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [{ label: text.apiLabel, href: '/explorer?operation=utilization_view' }],
}
