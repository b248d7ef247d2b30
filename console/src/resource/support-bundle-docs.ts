import * as text from '~/messages/support-bundle'
import type { PageDocs } from '~/ui/page-header'

/** Explains support bundles in the info panel of their screens. */
export const supportBundleDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    { label: text.bundlesLabel, href: '/explorer?operation=support_bundle_create' },
    { label: text.downloadsLabel, href: '/explorer?operation=support_bundle_download' },
  ],
}
