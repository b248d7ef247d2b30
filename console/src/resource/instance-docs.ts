import type { PageDocs } from '~/ui/page-header'

/** What the information button says beside every heading about instances. */
export const instanceDocs: PageDocs = {
  heading: 'instances',
  summary:
    'An instance is a virtual machine with its own CPUs, memory and disks. It keeps its disks while it is stopped. If it cannot be reached over the network, use its serial console.',
  links: [{ label: 'Instances in the API explorer', href: '/explorer?operation=instance_list' }],
}
