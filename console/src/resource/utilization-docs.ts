import type { PageDocs } from '~/ui/page-header'

/** What the utilization screens are for. */
export const utilizationDocs: PageDocs = {
  heading: 'utilization',
  summary:
    'Running instances use vCPUs and memory. Disks and snapshots use storage. A silo’s quota limits its use, and requests beyond it are refused.',
  links: [
    { label: 'Utilization in the API explorer', href: '/explorer?operation=utilization_view' },
  ],
}
