import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'

import { instanceNetworkInterfaceCreate, vpcList, vpcSubnetList } from '~/api/generated/operations'
import type { InstanceNetworkInterfaceCreate } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import type { Call } from '~/as-code/call'
import { validateIp } from '~/lib/ip'
import * as text from '~/messages/network-interface'
import { DescriptionField } from '~/ui/form/description-field'
import type { SubmitError } from '~/ui/form/form-shell'
import { ListboxField } from '~/ui/form/listbox-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextField } from '~/ui/form/text-field'

interface NetworkInterfaceFormProps {
  project: string
  /** The initial VPC. All interfaces of an instance are in the same one. */
  vpc?: string
  /** Names of other interfaces in the same form, which cannot be used again. */
  takenNames?: readonly string[]
  onSubmit: (body: InstanceNetworkInterfaceCreate) => void
  /** The calls that the caller makes; `null` if it makes none before another form is submitted. */
  calls: ((body: InstanceNetworkInterfaceCreate) => readonly Call[]) | null
  onDismiss: () => void
  loading: boolean
  submitError: SubmitError | null
}

/** Drawer that asks for a new network interface. The caller creates it. */
export function NetworkInterfaceForm(props: NetworkInterfaceFormProps) {
  const { project, vpc = '', takenNames = [], onSubmit, calls, ...shell } = props
  const form = useForm({
    defaultValues: { name: '', description: '', vpcName: vpc, subnetName: '', ip: '' },
  })
  const { control, setValue } = form
  const chosenVpc = useWatch({ control, name: 'vpcName' })
  const vpcs = useQuery(q(vpcList, { query: { project, limit: allItems } }))
  const subnets = useQuery(
    q(
      vpcSubnetList,
      { query: { project, vpc: chosenVpc, limit: allItems } },
      { enabled: chosenVpc !== '', allowNotFound: true },
    ),
  )
  return (
    <SideModalForm
      needs={instanceNetworkInterfaceCreate}
      {...shell}
      form={form}
      title={text.addTitle}
      onSubmit={(values) => onSubmit(bodyOf(values))}
      calls={calls && ((values) => calls(bodyOf(values)))}
      submitError={shell.submitError ?? vpcs.error ?? subnets.error}
    >
      <NameField
        name="name"
        control={control}
        validate={(name) => (takenNames.includes(name) ? text.nameTakenError : undefined)}
      />
      <DescriptionField name="description" control={control} />
      <ListboxField
        name="vpcName"
        control={control}
        label={text.vpcLabel}
        required
        placeholder={text.vpcPlaceholder}
        isLoading={vpcs.isPending}
        options={optionsOf(vpcs.data?.items)}
        onChange={() => setValue('subnetName', '')}
      />
      <ListboxField
        name="subnetName"
        control={control}
        label={text.subnetLabel}
        required
        disabled={chosenVpc === ''}
        placeholder={text.subnetPlaceholder}
        noOptions={chosenVpc ? text.noSubnetsText : text.noVpcSelectedText}
        isLoading={subnets.isLoading}
        options={optionsOf(subnets.data?.items)}
      />
      <TextField
        name="ip"
        control={control}
        label={text.ipAddressLabel}
        isCode
        help={text.ipAddressHelp}
        validate={(ip) => (ip.trim() ? validateIp(ip.trim()) : undefined)}
      />
    </SideModalForm>
  )
}

const bodyOf = <V extends { ip: string }>({ ip, ...values }: V) => ({
  ...values,
  ip: ip.trim() || undefined,
})

const optionsOf = (items: readonly { name: string; description: string }[] = []) =>
  items.map(({ name, description }) => ({
    value: name,
    label: name,
    detail: description || undefined,
  }))
