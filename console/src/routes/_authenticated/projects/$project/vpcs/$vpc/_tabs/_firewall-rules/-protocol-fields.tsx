import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import type { VpcFirewallRuleProtocol } from '~/api/generated/types.gen'
import { ICMP_TYPE_NAMES, icmpTypeLabel, validateIcmpCode, validateIcmpType } from '~/lib/icmp'
import { normaliseRangeDashes } from '~/lib/port-range'
import * as common from '~/messages/common'
import * as text from '~/messages/firewall-rule-screens'
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
  { value: '', label: text.allIcmpTypesLabel },
  ...[...ICMP_TYPE_NAMES.keys()].map((type) => ({
    value: String(type),
    label: icmpTypeLabel(type),
  })),
]

interface ProtocolFieldsProps {
  items: readonly VpcFirewallRuleProtocol[]
  onChange: (items: VpcFirewallRuleProtocol[]) => void
}

/** The protocols of a rule, and the fields that add one. */
export function ProtocolFields({ items, onChange }: ProtocolFieldsProps) {
  const form = useForm<ProtocolEntry>({ defaultValues: NO_PROTOCOL })
  const { control, handleSubmit, reset } = form
  const { protocol = '', icmpType = '' } = useWatch({ control })
  const add = entryAdder(handleSubmit, (entry) => {
    const added = protocolOf(entry)
    if (added && !items.some((item) => isSameProtocol(item, added))) onChange([...items, added])
    reset(NO_PROTOCOL)
  })
  const refusal =
    items.length < MAX_RULE_PARTS ? undefined : text.tooManyProtocolsError(MAX_RULE_PARTS)
  return (
    <>
      <SubForm
        name="protocol"
        form={form}
        addLabel={text.addProtocolLabel}
        isBlank={protocol === ''}
        onAdd={add}
        onClear={() => reset(NO_PROTOCOL)}
      >
        <ListboxField
          name="protocol"
          control={control}
          label={text.protocolsLabel}
          required
          options={PROTOCOL_OPTIONS}
          validate={() => refusal}
          onChange={(next) => reset({ ...NO_PROTOCOL, protocol: next })}
        />
        {protocol === 'icmp' && (
          <ComboboxField
            name="icmpType"
            control={control}
            label={text.icmpTypeLabel}
            help={text.icmpTypeHelp}
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
            label={text.icmpCodeLabel}
            help={text.icmpCodeHelp}
            transform={normaliseRangeDashes}
            validate={validateIcmpCode}
          />
        )}
      </SubForm>
      <MiniTable
        aria-label={text.protocolsLabel}
        columns={[
          {
            header: text.protocolColumnLabel,
            cell: ({ type }) => <Badge tone="neutral">{type.toUpperCase()}</Badge>,
          },
          { header: common.typeLabel, cell: (item) => <TypeCell protocol={item} /> },
          { header: text.codeColumnLabel, cell: (item) => <CodeCell protocol={item} /> },
        ]}
        items={items}
        rowKey={protocolText}
        onRemove={(item) => onChange(items.filter((each) => !isSameProtocol(each, item)))}
        removeLabel={(item) => text.removeProtocolLabel(protocolText(item))}
      />
    </>
  )
}

function TypeCell({ protocol }: { protocol: VpcFirewallRuleProtocol }) {
  if (protocol.type !== 'icmp') {
    return <AllOf>{text.allProtocolText(protocol.type.toUpperCase())}</AllOf>
  }
  if (!protocol.value) return <AllOf>{text.allIcmpText}</AllOf>
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
    return <AllOf>{text.allProtocolText(protocol.type.toUpperCase())}</AllOf>
  }
  if (!protocol.value) return <AllOf>{text.allIcmpText}</AllOf>
  const { icmpType, code } = protocol.value
  return code ? code : <AllOf>{text.allIcmpOfTypeText(icmpType)}</AllOf>
}

/** A dash with a tooltip that says what the absence of a value means. */
function AllOf({ children }: { children: ReactNode }) {
  return (
    <Tooltip content={<>{children}</>}>
      <span role="img" aria-label="—" tabIndex={0} className="rounded-sm">
        <EmptyCell />
      </span>
    </Tooltip>
  )
}
