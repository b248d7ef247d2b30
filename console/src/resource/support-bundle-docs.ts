import type { PageDocs } from '~/ui/page-header'

/** What support bundles are, for the info button of the screens about them. */
export const supportBundleDocs: PageDocs = {
  heading: 'support bundles',
  summary:
    'A support bundle is an archive for diagnosing a problem. It contains configuration without secrets, recent logs, versions, the inventory and object counts from the database. The number of bundles is limited.',
  links: [
    { label: 'Support Bundles', href: '/explorer?operation=support_bundle_create' },
    { label: 'Downloads', href: '/explorer?operation=support_bundle_download' },
  ],
}
