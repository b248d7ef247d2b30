import type { PageDocs } from '~/ui/page-header'

/** What a silo is, for the info button of the screens about silos. */
export const siloDocs: PageDocs = {
  heading: 'silos',
  summary:
    'A silo is an isolated tenant with its own users, groups, projects and quotas. Users of one silo cannot see another silo. Operators create silos, and configure how their users sign in and how much they can use.',
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
