import type { PageDocs } from '~/ui/page-header'

/** What a silo is, for the info button of the screens about silos. */
export const siloDocs: PageDocs = {
  heading: 'silos',
  summary:
    'A silo is a tenant: its users, groups, projects and quotas are its own, and people of one silo see nothing of another. Operators create silos, decide how people sign in to them, and how much they may use.',
  links: [
    { label: 'Silos', href: '/explorer?operation=silo_create' },
    {
      label: 'Identity Providers',
      href: '/explorer?operation=saml_identity_provider_create',
    },
    { label: 'IP Pools', href: '/explorer?operation=ip_pool_silo_link' },
    { label: 'Access Control', href: '/explorer?operation=silo_policy_view' },
  ],
}
