import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import type { VpcFirewallRuleProtocol } from '~/api/generated/types.gen'
import { ICMP_TYPE_NAMES, icmpTypeLabel, validateIcmpCode, validateIcmpType } from '~/lib/icmp'
import { normaliseRangeDashes } from '~/lib/port-range'
import { isSameProtocol, MAX_RULE_PARTS, protocolText } from '~/resource/firewall-rule'
import { NO_PROTOCOL, protocolOf } from '~/resource/firewall-rule-form'
import type { ProtocolEntry } from '~/resource/firewall-rule-form'
import { Badge } from '~/ui/badge'
import { EmptyCell } from '~/ui/empty-cell'
import { ComboboxField } from '~/ui/form/combobox-field'
import { ListboxField } from '~/ui/form/listbox-field'
import { MiniTable } from '~/ui/form/mini-table'
import { entryAdder, SubForm } from '~/ui/form/sub-form'
import { TextField } from '~/ui/form/text-field'
import { Tooltip } from '~/ui/tooltip'

const PROTOCOL_OPTIONS = (['tcp', 'udp', 'icmp'] as const).map((value) => ({
  value,
  label: value.toUpperCase(),
}))

const ICMP_TYPE_OPTIONS = [
  { value: '', label: 'All types' },
  ...[...ICMP_TYPE_NAMES.keys()].map((type) => ({
    value: String(type),
    label: icmpTypeLabel(type),
  })),
]

interface ProtocolFieldsProps {
  items: readonly VpcFirewallRuleProtocol[]
  onChange: (items: VpcFirewallRuleProtocol[]) => void
}

/** The protocols that a rule is about, and the fields that add one. */
export function ProtocolFields({ items, onChange }: ProtocolFieldsProps) {
  const { control, handleSubmit, reset } = useForm<ProtocolEntry>({ defaultValues: NO_PROTOCOL })
  const { protocol = '', icmpType = '' } = useWatch({ control })
  const add = entryAdder(handleSubmit, (entry) => {
    const added = protocolOf(entry)
    if (added && !items.some((item) => isSameProtocol(item, added))) onChange([...items, added])
    reset(NO_PROTOCOL)
  })
  const refusal =
    items.length < MAX_RULE_PARTS ? undefined : `A rule can have ${MAX_RULE_PARTS} protocol filters`
  return (
    <>
      <SubForm
        addLabel="Add protocol filter"
        isBlank={protocol === ''}
        onAdd={add}
        onClear={() => reset(NO_PROTOCOL)}
      >
        <ListboxField
          name="protocol"
          control={control}
          label="Protocol filters"
          required
          options={PROTOCOL_OPTIONS}
          validate={() => refusal}
          onChange={(next) => reset({ ...NO_PROTOCOL, protocol: next })}
        />
        {protocol === 'icmp' && (
          <ComboboxField
            name="icmpType"
            control={control}
            label="ICMP type"
            help="Leave blank to match any type"
            allowsCustomValue
            options={ICMP_TYPE_OPTIONS}
            onEnter={() => void add()}
            validate={validateIcmpType}
          />
        )}
        {protocol === 'icmp' && icmpType.trim() !== '' && (
          <TextField
            name="icmpCode"
            control={control}
            label="ICMP code"
            help="One code or a range such as 1-3. Leave blank to match all codes of the type."
            transform={normaliseRangeDashes}
            validate={validateIcmpCode}
          />
        )}
      </SubForm>
      <MiniTable
        aria-label="Protocol filters"
        columns={[
          {
            header: 'Protocol',
            cell: ({ type }) => <Badge tone="neutral">{type.toUpperCase()}</Badge>,
          },
          { header: 'Type', cell: (item) => <TypeCell protocol={item} /> },
          { header: 'Code', cell: (item) => <CodeCell protocol={item} /> },
        ]}
        items={items}
        rowKey={protocolText}
        onRemove={(item) => onChange(items.filter((each) => !isSameProtocol(each, item)))}
        removeLabel={(item) => `Remove ${protocolText(item)}`}
      />
    </>
  )
}

function TypeCell({ protocol }: { protocol: VpcFirewallRuleProtocol }) {
  if (protocol.type !== 'icmp') {
    return <AllOf>All {protocol.type.toUpperCase()} traffic matches</AllOf>
  }
  if (!protocol.value) return <AllOf>All ICMP traffic matches</AllOf>
  const { icmpType } = protocol.value
  return (
    <Tooltip content={ICMP_TYPE_NAMES.get(icmpType)}>
      <span role="img" aria-label={String(icmpType)} tabIndex={0} className="rounded-sm tabular">
        {icmpType}
      </span>
    </Tooltip>
  )
}

function CodeCell({ protocol }: { protocol: VpcFirewallRuleProtocol }) {
  if (protocol.type !== 'icmp') {
    return <AllOf>All {protocol.type.toUpperCase()} traffic matches</AllOf>
  }
  if (!protocol.value) return <AllOf>All ICMP traffic matches</AllOf>
  const { icmpType, code } = protocol.value
  return code ? code : <AllOf>All ICMP traffic of type {icmpType} matches</AllOf>
}

/** A dash that says what its absence of a value means. */
function AllOf({ children }: { children: ReactNode }) {
  return (
    <Tooltip content={<>{children}</>}>
      <span role="img" aria-label="—" tabIndex={0} className="rounded-sm">
        <EmptyCell />
      </span>
    </Tooltip>
  )
}
