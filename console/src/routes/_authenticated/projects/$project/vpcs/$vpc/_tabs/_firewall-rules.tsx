import { useMutation } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { BrickWallFire } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import type { ApiError } from '~/api/errors'
import { vpcFirewallRulesUpdate, vpcFirewallRulesView } from '~/api/generated/operations'
import type { VpcFirewallRule, VpcFirewallRules } from '~/api/generated/types.gen'
import { invalidate, load, useLoaded } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { ButtonLink } from '~/app/button-link'
import { NewButton } from '~/app/new-button'
import { capitalise } from '~/lib/text'
import * as common from '~/messages/common'
import * as text from '~/messages/firewall-rule-screens'
import { byPriority, foreignVpcs, matchesRule, MAX_RULES } from '~/resource/firewall-rule'
import { firewallRuleActions } from '~/resource/firewall-rule-actions'
import { FiltersCell, TargetsCell } from '~/resource/firewall-rule-cells'
import { renameVpcInRules } from '~/resource/firewall-rule-changes'
import { firewallRules } from '~/resource/firewall-rules-query'
import { createdColumn } from '~/resource/list-columns'
import type { VpcParams } from '~/resource/vpc-path'
import { firewallRuleEditPath, newFirewallRulePath } from '~/resource/vpc-path'
import { Button } from '~/ui/button'
import { EmptyMessage } from '~/ui/empty-message'
import { EnabledBadge } from '~/ui/enabled-badge'
import { FilterField } from '~/ui/filter-field'
import { LinkCell } from '~/ui/link-cell'
import { Message } from '~/ui/message'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_firewall-rules',
)({
  loader: ({ context, params }) => load(context.queryClient, firewallRules(params)),
  component: FirewallRulesTab,
})

const columns = (of: VpcParams): Column<VpcFirewallRule>[] => [
  {
    id: 'name',
    header: common.nameLabel,
    isName: true,
    width: 180,
    cell: ({ name }) => <LinkCell href={firewallRuleEditPath(of, name)}>{name}</LinkCell>,
  },
  { id: 'priority', header: text.priorityLabel, width: 90, cell: ({ priority }) => priority },
  {
    id: 'action',
    header: text.actionLabel,
    width: 80,
    isKey: true,
    cell: ({ action }) => capitalise(action),
  },
  {
    id: 'direction',
    header: text.directionColumnLabel,
    width: 100,
    cell: ({ direction }) => capitalise(direction),
  },
  {
    id: 'targets',
    header: text.targetsLabel,
    width: 180,
    cell: ({ targets }) => <TargetsCell targets={targets} />,
  },
  {
    id: 'filters',
    header: text.filtersLabel,
    width: 200,
    cell: ({ filters }) => <FiltersCell filters={filters} />,
  },
  {
    id: 'status',
    header: text.statusLabel,
    width: 106,
    cell: ({ status }) => <EnabledBadge isEnabled={status === 'enabled'} />,
  },
  createdColumn(165),
]

function NoRules({ newPath }: { newPath: string }) {
  return (
    <EmptyMessage
      icon={<BrickWallFire />}
      title={text.emptyTitle}
      body={text.emptyHelp}
      action={
        <ButtonLink needs={vpcFirewallRulesUpdate} to={newPath} variant="secondary" size="sm">
          {text.newRuleLabel}
        </ButtonLink>
      }
    />
  )
}

const noMatchingRules = (
  <EmptyMessage icon={<BrickWallFire />} title={text.noMatchesTitle} body={text.noMatchesHelp} />
)

const newRuleRefusal = (count: number): string | undefined =>
  count < MAX_RULES ? undefined : text.tooManyRulesError(MAX_RULES)

function FirewallRulesTab() {
  const { project, vpc } = Route.useParams()
  const of = useMemo(() => ({ project, vpc }), [project, vpc])
  const { rules } = useLoaded(firewallRules(of))
  const [query, setQuery] = useState('')
  const shown = useMemo(
    () => byPriority(rules).filter((rule) => matchesRule(rule, query)),
    [rules, query],
  )
  const newPath = newFirewallRulePath(of)

  return (
    <>
      <OldNamesNotice of={of} rules={rules} />
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        {rules.length > 0 ? (
          <FilterField
            label={text.filterRulesLabel}
            value={query}
            onChange={setQuery}
            className="max-w-72 min-w-32 grow"
          />
        ) : (
          <span />
        )}
        <NewButton
          needs={vpcFirewallRulesUpdate}
          to={newPath}
          refusal={newRuleRefusal(rules.length)}
          size="sm"
        >
          {text.newRuleLabel}
        </NewButton>
      </div>
      <Table
        label={text.tableLabel}
        columns={useMemo(() => columns(of), [of])}
        rows={shown}
        // Every update of the rules gives all of them new ids.
        rowKey={({ name }) => name}
        rowActions={useCallback(
          (rule: VpcFirewallRule) => menuEntries(firewallRuleActions(rule, of)),
          [of],
        )}
        emptyMessage={rules.length === 0 ? <NoRules newPath={newPath} /> : noMatchingRules}
      />
      <Outlet />
    </>
  )
}

/** Warns that rules refer to another VPC, usually under the old name of this one, and offers to correct them. */
function OldNamesNotice({ of, rules }: { of: VpcParams; rules: readonly VpcFirewallRule[] }) {
  const fix = useMutation<VpcFirewallRules, ApiError>({
    mutationFn: () => renameVpcInRules(of),
    onSettled: () => invalidate(vpcFirewallRulesView),
  })
  const names = foreignVpcs(rules, of.vpc)
  if (names.length === 0) return null
  return (
    <Message
      tone="notice"
      title={text.otherVpcTitle}
      className="mb-4"
      action={
        <Button
          needs={vpcFirewallRulesUpdate}
          variant="secondary"
          size="sm"
          loading={fix.isPending}
          onPress={() => fix.mutate()}
        >
          {text.replaceVpcLabel(of.vpc)}
        </Button>
      }
    >
      {text.renamedVpcText(names)}
      {fix.error && <p className="mt-1 text-danger-text">{fix.error.message}</p>}
    </Message>
  )
}
