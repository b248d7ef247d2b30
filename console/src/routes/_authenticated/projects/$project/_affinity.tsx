import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Ungroup } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { antiAffinityGroupCreate, antiAffinityGroupList } from '~/api/generated/operations'
import type { AntiAffinityGroup } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useWholeList } from '~/app/list-screen'
import * as text from '~/messages/affinity-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import { AffinityPolicyBadge } from '~/resource/affinity-policy-badge'
import { affinityDocs, AntiAffinityBadge, groupActions } from '~/resource/anti-affinity-group'
import { groupMembers, projectGroups } from '~/resource/anti-affinity-queries'
import { createdColumn, nameColumn } from '~/resource/list-columns'
import { EmptyCell } from '~/ui/empty-cell'
import { Skeleton } from '~/ui/skeleton'
import type { Column } from '~/ui/table-column'

/** The most groups whose members the loader waits for. Browsers open at most six connections to a host. */
const AWAITED_GROUPS = 5

export const Route = createFileRoute('/_authenticated/projects/$project/_affinity')({
  loader: async ({ context: { queryClient }, params: { project } }) => {
    const { items } = await load(queryClient, projectGroups(project))
    if (items.length > AWAITED_GROUPS) return
    // Another user may delete a group between the two requests. Its row then shows no number.
    await Promise.allSettled(
      items.map(({ name }) => load(queryClient, groupMembers(project, name))),
    )
  },
  staticData: {
    crumb: {
      label: crumbs.affinityGroupsLabel,
      to: ({ project }) => `/projects/${project}/affinity`,
    },
  },
  component: AffinityPage,
})

function MemberCount({ project, group }: { project: string; group: string }) {
  const { data, error } = useQuery({ ...groupMembers(project, group), throwOnError: false })
  if (data) return data.items.length > 0 ? data.items.length : <EmptyCell />
  return error ? <EmptyCell /> : <Skeleton className="h-3.5 w-6" />
}

const list = defineList({
  operation: antiAffinityGroupList,
  params: (project: string) => ({ query: { project, limit: allItems } }),
  title: text.listTitle,
  label: text.tableLabel,
  icon: Ungroup,
  docs: affinityDocs,
  create: {
    operation: antiAffinityGroupCreate,
    path: (project) => `/projects/${project}/affinity-new`,
    label: text.newButtonLabel,
  },
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
  },
})

const columns = (project: string): Column<AntiAffinityGroup>[] => [
  nameColumn(({ name }) => `/projects/${project}/affinity/${name}`),
  { id: 'type', header: shared.typeColumnLabel, width: 140, cell: () => <AntiAffinityBadge /> },
  {
    id: 'instances',
    header: text.instancesColumnLabel,
    width: 110,
    cell: ({ name }) => <MemberCount project={project} group={name} />,
  },
  {
    id: 'policy',
    filter: {},
    header: text.policyLabel,
    tip: text.policyColumnHelp,
    width: 120,
    value: ({ policy }) => policy,
    cell: ({ policy }) => <AffinityPolicyBadge policy={policy} />,
  },
  createdColumn(),
]

function AffinityPage() {
  const { project } = Route.useParams()
  return (
    <ListScreen
      page={useWholeList(list, project)}
      columns={useMemo(() => columns(project), [project])}
      rowActions={useCallback(
        (group: AntiAffinityGroup) => menuEntries(groupActions(group, project)),
        [project],
      )}
    />
  )
}
