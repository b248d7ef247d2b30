import type { PageDocs } from '~/ui/page-header'

/** What an IP pool is, for the info button of the screens about pools. */
export const ipPoolDocs: PageDocs = {
  heading: 'IP pools',
  summary:
    'An IP pool is a set of external addresses. Users in linked silos allocate addresses from it for instances and floating IPs. A silo’s default pool is used when no pool is specified.',
  links: [{ label: 'IP Pools', href: '/explorer?operation=ip_pool_create' }],
}
