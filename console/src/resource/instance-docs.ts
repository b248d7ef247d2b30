import * as text from '~/messages/instance'
import type { PageDocs } from '~/ui/page-header'

/** What the information button says beside every heading about instances. */
export const instanceDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [{ label: text.apiLabel, href: '/explorer?operation=instance_list' }],
}
