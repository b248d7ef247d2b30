import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { FieldPath, UseFormReturn } from 'react-hook-form'

import type { RouterRoute } from '~/api/generated/types.gen'
import { validateIp, validateIpNet } from '~/lib/ip'
import * as shared from '~/messages/project-screens'
import * as text from '~/messages/router-screens'
import { ROUTE_TYPE_LABELS } from '~/resource/router-route'
import type { RouteFormValues } from '~/resource/router-route-form'
import type { VpcParams } from '~/resource/vpc-path'
import { projectInstances, vpcGateways, vpcSubnets } from '~/resource/vpc-queries'
import { ComboboxField } from '~/ui/form/combobox-field'
import { DescriptionField } from '~/ui/form/description-field'
import type { ListOption } from '~/ui/form/list-options'
import { ListboxField } from '~/ui/form/listbox-field'
import { NameField } from '~/ui/form/name-field'
import { TextFieldWithRules, textOf } from '~/ui/form/text-field'
import { onDemand } from '~/ui/on-demand'

const RouteEffect = onDemand(async () => (await import('~/resource/route-effect')).RouteEffect)

/** How much of a route the form may change. */
export type RouteFreedom = 'all' | 'target' | 'nothing'

interface RouteFieldsProps {
  form: UseFormReturn<RouteFormValues>
  vpc: VpcParams
  /** The router of the route. */
  router: string
  /** The route as stored. Its types and values can be kept even if they could not be selected now. */
  stored?: RouterRoute
  freedom?: RouteFreedom
}

const DESTINATION_TYPES: ListOption[] = [
  { value: 'ip', label: text.ipTypeLabel },
  { value: 'ip_net', label: text.ipNetworkTypeLabel },
  { value: 'subnet', label: text.subnetTypeLabel },
]

const TARGET_TYPES: ListOption[] = [
  { value: 'ip', label: text.ipTypeLabel },
  { value: 'instance', label: text.instanceTypeLabel },
  { value: 'internet_gateway', label: text.gatewayTypeLabel },
  { value: 'drop', label: text.dropTypeLabel },
]

/** The fields of a route, and what it would change. The types of destination and target decide how their values are entered. */
export function RouteFields({ form, vpc, router, stored, freedom = 'all' }: RouteFieldsProps) {
  const { control } = form
  const isFixed = freedom !== 'all'
  const part = { form, vpc, stored }
  return (
    <>
      <NameField name="name" control={control} disabled={isFixed} />
      <DescriptionField name="description" control={control} disabled={isFixed} />
      <ListboxField
        name="destinationType"
        control={control}
        label={text.destinationTypeLabel}
        required
        placeholder={text.destinationTypePlaceholder}
        options={withStored(DESTINATION_TYPES, stored?.destination.type, ROUTE_TYPE_LABELS)}
        disabled={isFixed}
        onChange={() => forget(form, 'destinationValue')}
      />
      <ValueField {...part} part="destination" disabled={isFixed} />
      <ListboxField
        name="targetType"
        control={control}
        label={text.targetTypeLabel}
        required
        placeholder={text.targetTypePlaceholder}
        options={withStored(TARGET_TYPES, stored?.target.type, ROUTE_TYPE_LABELS)}
        disabled={freedom === 'nothing'}
        onChange={() => forget(form, 'targetValue')}
      />
      <ValueField {...part} part="target" disabled={freedom === 'nothing'} />
      {freedom !== 'nothing' && (
        <RouteEffect of={vpc} router={router} changed={stored?.name} control={control} />
      )}
    </>
  )
}

function forget(form: UseFormReturn<RouteFormValues>, name: FieldPath<RouteFormValues>) {
  form.setValue(name, '')
  form.clearErrors(name)
}

type Part = 'destination' | 'target'

interface ValueFieldProps extends Omit<RouteFieldsProps, 'freedom' | 'router'> {
  part: Part
  disabled: boolean
}

/** The value of a destination or target: a text field or a list, depending on the type. */
function ValueField({ form, vpc, stored, part, disabled }: ValueFieldProps) {
  const { control } = form
  const type = useWatch({ control, name: `${part}Type` })
  const name = `${part}Value` as const
  const field = {
    name,
    control,
    disabled,
    required: true,
    label: part === 'destination' ? text.destinationValueLabel : text.targetValueLabel,
  }
  const options = useValueOptions(vpc, type)
  switch (type) {
    case 'drop':
      return null
    case 'ip':
      return (
        <TextFieldWithRules
          {...field}
          key={type}
          isCode
          placeholder={text.ipPlaceholder}
          help={text.ipHelp}
          rules={{ isEmpty, checksEmpty: true, check: (value) => validateIp(textOf(value)) }}
        />
      )
    case 'ip_net':
      return (
        <TextFieldWithRules
          {...field}
          key={type}
          isCode
          placeholder={text.ipNetworkPlaceholder}
          help={text.ipNetworkHelp}
          rules={{ isEmpty, checksEmpty: true, check: (value) => validateIpNet(textOf(value)) }}
        />
      )
    default:
      return (
        <ComboboxField
          {...field}
          key={type}
          placeholder={PLACEHOLDERS[type]}
          isLoading={options.isLoading}
          options={withStored(options.items, storedValue(stored, part, type))}
        />
      )
  }
}

const PLACEHOLDERS = {
  subnet: text.subnetPlaceholder,
  instance: shared.instancePlaceholder,
  internet_gateway: text.gatewayPlaceholder,
  vpc: text.vpcPlaceholder,
}

const isEmpty = (value: unknown) => textOf(value) === ''

/** The names that can be selected. There are none for a VPC, which occurs only in routes that Croft creates itself. */
function useValueOptions(vpc: VpcParams, type: RouteFormValues['targetType' | 'destinationType']) {
  const subnets = useQuery({ ...vpcSubnets(vpc), enabled: type === 'subnet' })
  const gateways = useQuery({ ...vpcGateways(vpc), enabled: type === 'internet_gateway' })
  const instances = useQuery({
    ...projectInstances(vpc.project),
    enabled: type === 'instance',
  })
  const queries = { subnet: subnets, internet_gateway: gateways, instance: instances }
  const query = type in queries ? queries[type as keyof typeof queries] : undefined
  return {
    isLoading: query?.isLoading ?? false,
    items: (query?.data?.items ?? []).map(({ name, description }) => ({
      value: name,
      label: name,
      detail: description || undefined,
    })),
  }
}

function storedValue(stored: RouterRoute | undefined, part: Part, type: string) {
  const value = stored?.[part]
  return value && value.type === type && value.type !== 'drop' ? value.value : undefined
}

/** The options, with the stored value added if it is not among them. */
function withStored(
  options: ListOption[],
  stored: string | undefined,
  labels: Partial<Record<string, string>> = {},
): ListOption[] {
  if (stored === undefined || options.some(({ value }) => value === stored)) return options
  return [...options, { value: stored, label: labels[stored] ?? stored }]
}
