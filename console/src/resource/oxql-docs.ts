import type { PageDocs } from '~/ui/page-header'

/** What the screens for queries are for. */
export const oxqlDocs: PageDocs = {
  heading: 'metrics',
  summary:
    'Croft records metrics of instances, disks, network interfaces and the server itself, and keeps them for 30 days. Query them with OxQL: get a timeseries, filter it by time and fields, align its timestamps, and group its series.',
  links: [
    {
      label: 'Queries in the API explorer',
      href: '/explorer?operation=timeseries_query',
    },
  ],
}
