import type { PageDocs } from '~/ui/page-header'

/** What updates are, for the info button of the screens about them. */
export const updateDocs: PageDocs = {
  heading: 'updates',
  summary:
    'A system release is uploaded as a repository of The Update Framework (TUF) in a zip archive. Croft accepts it if a trusted root role verifies it, checks every file and stores it. The target release is the one that the system should run. Nothing is installed automatically.',
  links: [
    { label: 'Repositories', href: '/explorer?operation=system_update_put_repository' },
    { label: 'Target Release', href: '/explorer?operation=target_release_update' },
    { label: 'Trust Roots', href: '/explorer?operation=system_update_trust_root_create' },
  ],
}
