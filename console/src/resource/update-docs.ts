import * as text from '~/messages/update'
import type { PageDocs } from '~/ui/page-header'

/** Explains updates in the info panel of their screens. */
export const updateDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    { label: text.repositoriesLabel, href: '/explorer?operation=system_update_put_repository' },
    { label: text.targetReleaseLabel, href: '/explorer?operation=target_release_update' },
    { label: text.trustRootsLabel, href: '/explorer?operation=system_update_trust_root_create' },
  ],
}
