import * as text from '~/messages/image'
import type { PageDocs } from '~/ui/page-header'

/** Explains images in the info panel of their pages. */
export const imageDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [{ label: text.apiLabel, href: '/explorer?operation=image_list' }],
}
