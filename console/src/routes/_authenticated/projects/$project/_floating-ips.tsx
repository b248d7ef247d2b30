import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Globe } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import {
  floatingIpCreate,
  floatingIpList,
  instanceList,
  floatingIpSearch,
} from '~/api/generated/operations'
import type { FloatingIp, SiloIpPool } from '~/api/generated/types.gen'
import { allItems, listPage, pageSearch } from '~/api/list'
import { load, q } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as common from '~/messages/common'
import * as text from '~/messages/floating-ip-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { floatingIpActions } from '~/resource/floating-ip-actions'
import { inProject } from '~/resource/in-project'
import { InstanceLink } from '~/resource/instance-link'
import { descriptionColumn } from '~/resource/list-columns'
import { IpPoolName } from '~/resource/named-by-id'
import { projectIpPools } from '~/resource/project-ip-pools'
import { CopyableCode } from '~/ui/copy-button'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

const AttachToInstance = onDemand(
  async () => (await import('./_floating-ips/-attach-to-instance')).AttachToInstance,
)

const instances = (project: string) => q(instanceList, { query: { project, limit: allItems } })

export const Route = createFileRoute('/_authenticated/projects/$project/_floating-ips')({
  validateSearch: pageSearch,
  loader: ({ context: { queryClient }, params: { project }, location }) =>
    Promise.all([
      load(queryClient, listPage(floatingIpList, inProject(project), location.search)),
      load(queryClient, instances(project)),
      load(queryClient, projectIpPools),
    ]),
  staticData: {
    crumb: {
      label: crumbs.floatingIpsLabel,
      to: ({ project }) => `/projects/${project}/floating-ips`,
    },
  },
  component: FloatingIpsPage,
})

const list = defineList({
  operation: floatingIpList,
  found: floatingIpSearch,
  params: inProject,
  labels: (project) => ({
    kind: 'floating_ip',
    project,
    path: `/projects/${project}/floating-ips`,
  }),
  title: text.listTitle,
  label: text.tableLabel,
  icon: Globe,
  docs: {
    heading: text.docsTitle,
    summary: text.docsHelp,
    links: [{ label: text.docsLinkLabel, href: '/explorer?operation=floating_ip_create' }],
  },
  create: {
    operation: floatingIpCreate,
    path: (project) => `/projects/${project}/floating-ips-new`,
    label: text.newButtonLabel,
    action: text.newActionLabel,
  },
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
    button: text.newButtonLabel,
  },
})

const columns = (
  project: string,
  pools: readonly SiloIpPool[],
  names: ReadonlyMap<string, string>,
): Column<FloatingIp>[] => [
  { id: 'name', header: common.nameColumnLabel, isName: true, cell: ({ name }) => name },
  descriptionColumn(220),
  {
    id: 'ip',
    filter: { by: 'ipVersion' },
    header: text.addressLabel,
    width: 150,
    isKey: true,
    value: ({ ip }) => ip,
    cell: ({ ip }) => <CopyableCode value={ip} />,
  },
  {
    id: 'pool',
    filter: {},
    header: text.poolLabel,
    width: 140,
    value: ({ ipPoolId }) => pools.find(({ id }) => id === ipPoolId)?.name ?? ipPoolId,
    cell: ({ ipPoolId }) => <IpPoolName id={ipPoolId} pools={pools} />,
  },
  {
    id: 'instance',
    filter: {},
    header: text.instanceColumnLabel,
    width: 180,
    value: ({ instanceId }) => names.get(instanceId ?? '') ?? instanceId,
    cell: ({ instanceId }) => (
      <InstanceLink project={project} instanceId={instanceId ?? undefined} names={names} />
    ),
  },
]

const noPools: SiloIpPool[] = []

function FloatingIpsPage() {
  const { project } = Route.useParams()
  const page = useList(list, project)
  const { data: candidates } = useQuery(instances(project))
  const { data: pools } = useQuery(projectIpPools)
  const names = useMemo(
    () => new Map(candidates?.items.map(({ id, name }) => [id, name])),
    [candidates],
  )
  const [attaching, setAttaching] = useState<FloatingIp>()
  const close = useCallback(() => setAttaching(undefined), [])

  const rowActions = useCallback(
    (floatingIp: FloatingIp) => {
      const instance = names.get(floatingIp.instanceId ?? '')
      const context = { project, instance, openAttach: setAttaching }
      return menuEntries(floatingIpActions(floatingIp, context))
    },
    [project, names],
  )

  return (
    <ListScreen
      page={page}
      columns={useMemo(
        () => columns(project, pools?.items ?? noPools, names),
        [project, pools, names],
      )}
      rowActions={rowActions}
    >
      {attaching && (
        <AttachToInstance
          project={project}
          floatingIp={attaching}
          instances={candidates?.items ?? []}
          onDismiss={close}
          onMissing={close}
        />
      )}
    </ListScreen>
  )
}
