import { useQuery } from '@tanstack/react-query'
import { CircleMinus, Ungroup } from 'lucide-react'
import { useMemo, useState } from 'react'

import {
  antiAffinityGroupMemberInstanceAdd,
  antiAffinityGroupMemberInstanceDelete,
} from '~/api/generated/operations'
import type { AntiAffinityGroup, Instance } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { useLoaded } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import type { Action } from '~/app/action-registry'
import * as text from '~/messages/affinity-screens'
import { AffinityPolicyBadge } from '~/resource/affinity-policy-badge'
import { refreshMembers } from '~/resource/anti-affinity-group'
import { instanceGroups, projectGroups } from '~/resource/anti-affinity-queries'
import { instanceRefusal } from '~/resource/instance-state'
import { descriptionColumn, nameColumn } from '~/resource/list-columns'
import { Button } from '~/ui/button'
import { CardBlock } from '~/ui/card-block'
import { confirm } from '~/ui/confirm'
import { EmptyMessage } from '~/ui/empty-message'
import { onDemand } from '~/ui/on-demand'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'
import { toast } from '~/ui/toast'

const AddToGroup = onDemand(async () => (await import('./-add-to-group')).AddToGroup)

const noGroups = (
  <EmptyMessage icon={<Ungroup />} title={text.emptyTitle} body={text.noGroupsOfInstanceHelp} />
)

const columns = (project: string): Column<AntiAffinityGroup>[] => [
  nameColumn(({ name }) => `/projects/${project}/affinity/${name}`),
  descriptionColumn(),
  {
    id: 'policy',
    header: text.policyLabel,
    tip: text.policyOfInstanceHelp,
    width: 120,
    cell: ({ policy }) => <AffinityPolicyBadge policy={policy} />,
  },
]

interface AntiAffinityCardProps {
  project: string
  instance: Instance
}

/** The anti-affinity groups of an instance. */
export function AntiAffinityCard({ project, instance }: AntiAffinityCardProps) {
  const { items: groups } = useLoaded(instanceGroups({ project, instance: instance.name }))
  const { data: all } = useQuery(projectGroups(project))
  const [isAdding, setAdding] = useState(false)
  const close = () => setAdding(false)
  return (
    <CardBlock
      title={text.groupsTitle}
      description={text.groupsHelp}
      actions={
        <Button
          needs={antiAffinityGroupMemberInstanceAdd}
          size="sm"
          disabledReason={addRefusal(instance, groups, all?.items)}
          onPress={() => setAdding(true)}
        >
          {text.addButtonLabel}
        </Button>
      }
    >
      <Table
        label={text.groupsTitle}
        columns={useMemo(() => columns(project), [project])}
        rows={groups}
        rowKey={({ id }) => id}
        copyIdLabel={text.copyGroupIdLabel}
        rowActions={(group) => menuEntries(groupActions(group, project, instance.name))}
        emptyMessage={noGroups}
      />
      {isAdding && (
        <AddToGroup
          project={project}
          instance={instance.name}
          takenNames={groups.map(({ name }) => name)}
          onDismiss={close}
          onMissing={close}
        />
      )}
    </CardBlock>
  )
}

/** Why the instance cannot be added to another group; `undefined` if it can. */
function addRefusal(
  instance: Instance,
  groups: readonly AntiAffinityGroup[],
  all: readonly AntiAffinityGroup[] | undefined,
): string | undefined {
  const refusal = instanceRefusal('addToAntiAffinityGroup', instance)
  if (refusal) return refusal
  // While the groups are loading, the button is enabled; the dialog says whether there are any.
  if (!all) return undefined
  if (all.length === 0) return text.noGroupsError
  return groups.length >= all.length ? text.allGroupsError : undefined
}

function groupActions({ name }: AntiAffinityGroup, project: string, instance: string): Action[] {
  const removal = planned(antiAffinityGroupMemberInstanceDelete, {
    path: { antiAffinityGroup: name, instance },
    query: { project },
  })
  const remove = async () => {
    await removal.send()
    await refreshMembers()
    toast({
      content: text.removedFromGroupToast(instance, name),
    })
  }
  return [
    {
      id: 'remove-from-group',
      label: text.removeFromGroupActionLabel,
      icon: CircleMinus,
      destructive: true,
      needs: antiAffinityGroupMemberInstanceDelete,
      perform: () =>
        confirm({
          title: text.removeFromGroupTitle,
          body: <p>{text.removeFromGroupQuestion(instance, name)}</p>,
          tone: 'danger',
          errorTitle: text.removeFromGroupFailedTitle,
          calls: [removal],
          action: remove,
        }),
    },
  ]
}
