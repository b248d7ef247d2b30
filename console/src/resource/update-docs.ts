import type { PageDocs } from '~/ui/page-header'

/** What updates are, for the info button of the screens about them. */
export const updateDocs: PageDocs = {
  heading: 'updates',
  summary:
    'A release of the system comes as a repository of The Update Framework in a zip archive. Croft takes it if one of the trusted root roles vouches for it, checks every file in it, and keeps it. The target release is what the operators want the system to run; nothing is installed by itself.',
  links: [
    { label: 'Repositories', href: '/explorer?operation=system_update_put_repository' },
    { label: 'Target Release', href: '/explorer?operation=target_release_update' },
    { label: 'Trust Roots', href: '/explorer?operation=system_update_trust_root_create' },
  ],
}
