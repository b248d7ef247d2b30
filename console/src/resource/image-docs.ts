import * as text from '~/messages/image'
import type { PageDocs } from '~/ui/page-header'

/** What the pages of images say about them. */
export const imageDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [{ label: text.apiLabel, href: '/explorer?operation=image_list' }],
}
