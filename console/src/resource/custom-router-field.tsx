import { useQuery } from '@tanstack/react-query'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'

import type { VpcRouter } from '~/api/generated/types.gen'
import * as text from '~/messages/vpc-subnet'
import type { ListOption } from '~/ui/form/list-options'
import { ListboxField } from '~/ui/form/listbox-field'

import type { VpcParams } from './vpc-path'
import { vpcRouters } from './vpc-queries'
import { NO_ROUTER } from './vpc-subnet-form'

interface CustomRouterFieldProps<V extends FieldValues, N extends FieldPath<V>> {
  vpc: VpcParams
  name: N
  control: Control<V>
  /** The current router of the subnet. It can be kept even if it is not listed. */
  current?: string | null
}

/** Selects the custom router of a subnet, or none. */
export function CustomRouterField<V extends FieldValues, N extends FieldPath<V>>({
  vpc,
  name,
  control,
  current,
}: CustomRouterFieldProps<V, N>) {
  const { data, isPending } = useQuery(vpcRouters(vpc))
  return (
    <ListboxField
      name={name}
      control={control}
      label={text.customRouterLabel}
      placeholder={text.customRouterPlaceholder}
      help={text.customRouterHelp}
      required
      isLoading={isPending}
      options={customRouterOptions(data?.items ?? [], current)}
    />
  )
}

/** "None", then the custom routers by name, then the current one if it is not listed. */
export function customRouterOptions(
  routers: readonly VpcRouter[],
  current?: string | null,
): ListOption[] {
  const custom = routers
    .filter(({ kind }) => kind === 'custom')
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ id, name, description }) => ({
      value: id,
      label: name,
      detail: description || undefined,
    }))
  const isListed = !current || custom.some(({ value }) => value === current)
  return [
    { value: NO_ROUTER, label: text.noRouterLabel },
    ...custom,
    ...(isListed ? [] : [{ value: current, label: text.currentRouterLabel }]),
  ]
}
