import * as text from '~/messages/update'
import type { PageDocs } from '~/ui/page-header'

/** What updates are, for the info button of the screens about them. */
export const updateDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    { label: text.repositoriesLabel, href: '/explorer?operation=system_update_put_repository' },
    { label: text.targetReleaseLabel, href: '/explorer?operation=target_release_update' },
    { label: text.trustRootsLabel, href: '/explorer?operation=system_update_trust_root_create' },
  ],
}
