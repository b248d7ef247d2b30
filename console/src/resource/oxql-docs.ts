import type { PageDocs } from '~/ui/page-header'

/** What the screens for queries are for. */
export const oxqlDocs: PageDocs = {
  heading: 'metrics',
  summary:
    'Machines, disks, network interfaces and the server itself are measured all the time, and kept for 30 days. OxQL reads it: get a timeseries, filter it by time and fields, align it to common moments, group series together.',
  links: [
    {
      label: 'Queries in the API explorer',
      href: '/explorer?operation=timeseries_query',
    },
  ],
}
