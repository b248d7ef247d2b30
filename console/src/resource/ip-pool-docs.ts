import type { PageDocs } from '~/ui/page-header'

/** What an IP pool is, for the info button of the screens about pools. */
export const ipPoolDocs: PageDocs = {
  heading: 'IP pools',
  summary:
    'An IP pool is a set of external addresses. Users of the silos that it is linked to take addresses from it, for their instances and as floating IPs; a silo’s default pool is the one used when nobody names another.',
  links: [{ label: 'IP Pools', href: '/explorer?operation=ip_pool_create' }],
}
