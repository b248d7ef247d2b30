import * as text from '~/messages/oxql'
import type { PageDocs } from '~/ui/page-header'

/** Explains metrics in the info panel of the query screens. */
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
