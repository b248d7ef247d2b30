import type { PageDocs } from '~/ui/page-header'

/** What support bundles are, for the info button of the screens about them. */
export const supportBundleDocs: PageDocs = {
  heading: 'support bundles',
  summary:
    'A support bundle is an archive of what somebody needs to see who looks for the cause of a problem: configuration without its secrets, recent logs, versions, the inventory and counts of what is in the database. There is room for a certain number of them.',
  links: [
    { label: 'Support Bundles', href: '/explorer?operation=support_bundle_create' },
    { label: 'Downloads', href: '/explorer?operation=support_bundle_download' },
  ],
}
