import * as text from '~/messages/support-bundle'
import type { PageDocs } from '~/ui/page-header'

/** What support bundles are, for the info button of the screens about them. */
export const supportBundleDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    { label: text.bundlesLabel, href: '/explorer?operation=support_bundle_create' },
    { label: text.downloadsLabel, href: '/explorer?operation=support_bundle_download' },
  ],
}
