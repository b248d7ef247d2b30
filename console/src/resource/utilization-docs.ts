import type { PageDocs } from '~/ui/page-header'

/** What the utilization screens are for. */
export const utilizationDocs: PageDocs = {
  heading: 'utilization',
  summary:
    'Running instances take vCPUs and memory, disks and snapshots take storage. What a silo may take at the most is its quota; a request beyond it is refused.',
  links: [
    { label: 'Utilization in the API explorer', href: '/explorer?operation=utilization_view' },
  ],
}
