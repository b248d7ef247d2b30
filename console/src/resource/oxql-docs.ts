import * as text from '~/messages/oxql'
import type { PageDocs } from '~/ui/page-header'

/** What the screens for queries are for. */
export const oxqlDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    {
      label: text.apiLabel,
      href: '/explorer?operation=timeseries_query',
    },
  ],
}
