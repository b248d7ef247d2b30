import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import { instanceList, vpcList, vpcSubnetList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { validateIp, validateIpNet } from '~/lib/ip'
import { validateName } from '~/lib/validate-name'
import * as common from '~/messages/common'
import * as text from '~/messages/firewall-rule-screens'
import { isSameEndpoint, MAX_RULE_PARTS } from '~/resource/firewall-rule'
import type { FirewallEndpoint } from '~/resource/firewall-rule'
import type { VpcParams } from '~/resource/vpc-path'
import { Badge } from '~/ui/badge'
import { ComboboxField } from '~/ui/form/combobox-field'
import { ListboxField } from '~/ui/form/listbox-field'
import { MiniTable } from '~/ui/form/mini-table'
import { entryAdder, SubForm } from '~/ui/form/sub-form'
import { TextField } from '~/ui/form/text-field'
import { Message } from '~/ui/message'

type EndpointType = FirewallEndpoint['type']

const TYPE_OPTIONS: { value: EndpointType; label: string }[] = [
  { value: 'vpc', label: text.vpcTypeLabel },
  { value: 'subnet', label: text.subnetTypeLabel },
  { value: 'instance', label: text.instanceTypeLabel },
  { value: 'ip', label: text.ipTypeLabel },
  { value: 'ip_net', label: text.ipNetworkTypeLabel },
]

const NAME_LABELS = {
  vpc: text.vpcNameLabel,
  subnet: text.subnetNameLabel,
  instance: text.instanceNameLabel,
}

/** The texts of the two lists of a rule: its targets, and the hosts at the other end. */
const WORDS = {
  target: {
    type: text.targetTypeLabel,
    add: text.addTargetLabel,
    list: text.targetsLabel,
    tooMany: text.tooManyTargetsError,
  },
  host: {
    type: text.hostTypeLabel,
    add: text.addHostLabel,
    list: text.hostsLabel,
    tooMany: text.tooManyHostsError,
  },
} as const

interface EndpointFieldsProps {
  /** Which of the two lists this is. */
  end: keyof typeof WORDS
  of: VpcParams
  items: readonly FirewallEndpoint[]
  onChange: (items: FirewallEndpoint[]) => void
}

/** The targets or the host filters of a rule, and the fields that add one. */
export function EndpointFields({ end, of, items, onChange }: EndpointFieldsProps) {
  const words = WORDS[end]
  const form = useForm<FirewallEndpoint>({ defaultValues: { type: 'vpc', value: '' } })
  const { control, reset, setFocus } = form
  const { type, value = '' } = useWatch({ control })
  // Adding an entry disables its button or replaces its field, so either can lose the focus. A field that is still
  // there keeps it; otherwise the focus returns to the first field.
  const [added, setAdded] = useState(0)
  useEffect(() => {
    if (added > 0 && !(document.activeElement instanceof HTMLInputElement)) setFocus('type')
  }, [added, setFocus])

  const add = entryAdder(form.handleSubmit, (entry) => {
    if (!items.some((item) => isSameEndpoint(item, entry))) onChange([...items, entry])
    reset({ type: 'vpc', value: '' })
  })
  const goOn = () => setAdded((count) => count + 1)
  const otherVpcs = items.filter((item) => item.type === 'vpc' && item.value !== of.vpc)
  return (
    <>
      <SubForm
        name={end}
        form={form}
        addLabel={words.add}
        isBlank={value === ''}
        onAdd={add}
        onAdded={goOn}
        onClear={() => reset({ type, value: '' })}
      >
        <ListboxField
          name="type"
          control={control}
          label={words.type}
          required
          options={TYPE_OPTIONS}
          onChange={(next) => reset({ type: next, value: '' })}
        />
        <EndpointValueField
          key={type}
          {...{ form, type: type ?? 'vpc', of, items }}
          refusal={items.length < MAX_RULE_PARTS ? undefined : words.tooMany(MAX_RULE_PARTS)}
          onEnter={() => {
            if (value !== '') void add().then((isAdded) => isAdded && goOn())
          }}
        />
      </SubForm>
      <MiniTable
        aria-label={words.list}
        columns={[
          {
            header: common.typeLabel,
            cell: (item) => <Badge tone="neutral">{item.type}</Badge>,
          },
          { header: text.valueColumnLabel, cell: (item) => item.value },
        ]}
        items={items}
        rowKey={(item) => `${item.type} ${item.value}`}
        onRemove={(item) => onChange(items.filter((each) => !isSameEndpoint(each, item)))}
      />
      {otherVpcs.length > 0 && (
        <Message tone="notice">
          {text.otherVpcsText(
            of.vpc,
            otherVpcs.map(({ value }) => value),
          )}
        </Message>
      )}
    </>
  )
}

interface EndpointValueFieldProps {
  form: ReturnType<typeof useForm<FirewallEndpoint>>
  type: EndpointType
  of: VpcParams
  items: readonly FirewallEndpoint[]
  /** Why nothing can be added to the list. */
  refusal: string | undefined
  onEnter: () => void
}

/** The VPC, subnet, instance, address or network. */
function EndpointValueField(props: EndpointValueFieldProps) {
  const { form, type, refusal } = props
  const { control } = form
  const field = { name: 'value', control, required: true } as const
  if (type === 'ip') {
    return (
      <TextField
        {...field}
        label={text.addressLabel}
        isCode
        help={text.addressHelp}
        validate={(value) => refusal ?? validateIp(value)}
      />
    )
  }
  if (type === 'ip_net') {
    return (
      <TextField
        {...field}
        label={text.networkLabel}
        isCode
        help={text.networkHelp}
        validate={(value) => refusal ?? validateIpNet(value)}
      />
    )
  }
  return <EndpointNameField {...props} type={type} />
}

function EndpointNameField(props: EndpointValueFieldProps & { type: keyof typeof NAME_LABELS }) {
  const { form, type, of, items, refusal, onEnter } = props
  const label = NAME_LABELS[type]
  const { names, isPending } = useNames(type, of)
  const taken = new Set(items.filter((item) => item.type === type).map((item) => item.value))
  return (
    <ComboboxField
      name="value"
      control={form.control}
      label={label}
      required
      allowsCustomValue
      isLoading={isPending}
      options={names
        .filter((name) => !taken.has(name))
        .map((name) => ({ value: name, label: name }))}
      onEnter={onEnter}
      validate={(value) => refusal ?? validateName(value, label, false)}
    />
  )
}

/** Suggested names; others can be typed. Only names of the selected type are requested. */
function useNames(type: keyof typeof NAME_LABELS, { project, vpc }: VpcParams) {
  const query = { project, limit: allItems }
  const lookup = (of: typeof type) => ({ enabled: of === type, allowNotFound: true })
  const vpcs = useQuery(q(vpcList, { query }, lookup('vpc')))
  const subnets = useQuery(q(vpcSubnetList, { query: { ...query, vpc } }, lookup('subnet')))
  const instances = useQuery(q(instanceList, { query }, lookup('instance')))
  const { data, isLoading } = { vpc: vpcs, subnet: subnets, instance: instances }[type]
  return { names: data?.items.map(({ name }) => name) ?? [], isPending: isLoading }
}
