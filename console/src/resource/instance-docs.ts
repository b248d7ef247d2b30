import * as text from '~/messages/instance'
import type { PageDocs } from '~/ui/page-header'

/** Explains instances in the info panel of their pages. */
export const instanceDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [{ label: text.apiLabel, href: '/explorer?operation=instance_list' }],
}
