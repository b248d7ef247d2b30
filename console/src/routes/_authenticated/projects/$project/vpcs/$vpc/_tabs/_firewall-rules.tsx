import { useMutation } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { BrickWallFire } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import type { ApiError } from '~/api/errors'
import { vpcFirewallRulesUpdate, vpcFirewallRulesView } from '~/api/generated/operations'
import type { VpcFirewallRule, VpcFirewallRules } from '~/api/generated/types.gen'
import { invalidate, load, useLoaded } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { ListScreen } from '~/app/list-screen'
import type { ListLook } from '~/app/list-screen'
import { capitalise } from '~/lib/text'
import * as common from '~/messages/common'
import * as text from '~/messages/firewall-rule-screens'
import {
  byPriority,
  endpointText,
  filterTexts,
  foreignVpcs,
  MAX_RULES,
} from '~/resource/firewall-rule'
import { firewallRuleActions } from '~/resource/firewall-rule-actions'
import { FiltersCell, TargetsCell } from '~/resource/firewall-rule-cells'
import { renameVpcInRules } from '~/resource/firewall-rule-changes'
import { firewallRules } from '~/resource/firewall-rules-query'
import { createdColumn } from '~/resource/list-columns'
import type { VpcParams } from '~/resource/vpc-path'
import { firewallRuleEditPath, newFirewallRulePath } from '~/resource/vpc-path'
import { Button } from '~/ui/button'
import { EnabledBadge } from '~/ui/enabled-badge'
import { LinkCell } from '~/ui/link-cell'
import { Message } from '~/ui/message'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_firewall-rules',
)({
  loader: ({ context, params }) => load(context.queryClient, firewallRules(params)),
  component: FirewallRulesTab,
})

const typesOf = (targets: VpcFirewallRule['targets']) => [
  ...new Set(targets.map(({ type }) => type)),
]

/** The protocols that a rule is about. One without any is about each. */
const protocolsOf = ({ protocols }: VpcFirewallRule['filters']) =>
  protocols?.length
    ? [...new Set(protocols.map(({ type }) => type.toUpperCase()))]
    : text.anyProtocolLabel

const columns = (of: VpcParams): Column<VpcFirewallRule>[] => [
  {
    id: 'name',
    header: common.nameLabel,
    isName: true,
    width: 180,
    value: ({ name }) => name,
    cell: ({ name }) => <LinkCell href={firewallRuleEditPath(of, name)}>{name}</LinkCell>,
  },
  {
    id: 'priority',
    header: text.priorityLabel,
    width: 90,
    filter: {},
    value: ({ priority }) => priority,
    cell: ({ priority }) => priority,
  },
  {
    id: 'action',
    header: text.actionLabel,
    width: 80,
    isKey: true,
    filter: {},
    value: ({ action }) => capitalise(action),
    cell: ({ action }) => capitalise(action),
  },
  {
    id: 'direction',
    header: text.directionColumnLabel,
    width: 100,
    filter: {},
    value: ({ direction }) => capitalise(direction),
    cell: ({ direction }) => capitalise(direction),
  },
  {
    id: 'targets',
    header: text.targetsLabel,
    width: 180,
    filter: { value: ({ targets }) => typesOf(targets) },
    value: ({ targets }) => targets.map(endpointText),
    cell: ({ targets }) => <TargetsCell targets={targets} />,
  },
  {
    id: 'filters',
    header: text.filtersLabel,
    width: 200,
    filter: { value: ({ filters }) => protocolsOf(filters) },
    value: ({ filters }) => filterTexts(filters),
    cell: ({ filters }) => <FiltersCell filters={filters} />,
  },
  {
    id: 'status',
    header: text.statusLabel,
    width: 106,
    filter: {},
    value: ({ status }) => (status === 'enabled' ? common.enabledLabel : common.disabledLabel),
    cell: ({ status }) => <EnabledBadge isEnabled={status === 'enabled'} />,
  },
  createdColumn(165),
]

const newRuleRefusal = (count: number): string | undefined =>
  count < MAX_RULES ? undefined : text.tooManyRulesError(MAX_RULES)

/** @param count how many rules there are. */
const listOf = (count: number): ListLook<VpcParams, VpcFirewallRule> => ({
  operation: vpcFirewallRulesView,
  label: text.tableLabel,
  icon: BrickWallFire,
  create: {
    operation: vpcFirewallRulesUpdate,
    path: newFirewallRulePath,
    label: text.newRuleLabel,
    refusal: () => newRuleRefusal(count),
  },
  empty: { title: text.emptyTitle, body: text.emptyHelp, button: text.newRuleLabel },
  // Every update of the rules gives all of them new ids.
  rowKey: ({ name }) => name,
})

function FirewallRulesTab() {
  const { project, vpc } = Route.useParams()
  const of = useMemo(() => ({ project, vpc }), [project, vpc])
  const { rules } = useLoaded(firewallRules(of))
  const items = useMemo(() => byPriority(rules), [rules])
  return (
    <>
      <OldNamesNotice of={of} rules={rules} />
      <ListScreen
        page={{ list: listOf(rules.length), place: of, items, isLoading: false }}
        columns={useMemo(() => columns(of), [of])}
        rowActions={useCallback(
          (rule: VpcFirewallRule) => menuEntries(firewallRuleActions(rule, of)),
          [of],
        )}
      />
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
