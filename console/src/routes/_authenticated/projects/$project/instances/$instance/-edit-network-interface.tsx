import { useController, useForm, useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import {
  instanceNetworkInterfaceList,
  instanceNetworkInterfaceUpdate,
} from '~/api/generated/operations'
import type { InstanceNetworkInterface } from '~/api/generated/types.gen'
import { useResourceForm } from '~/app/use-resource-form'
import { validateIpNet } from '~/lib/ip'
import * as text from '~/messages/instance-network-screens'
import { DescriptionField } from '~/ui/form/description-field'
import { MiniTable } from '~/ui/form/mini-table'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { entryAdder, SubForm } from '~/ui/form/sub-form'
import { TextField } from '~/ui/form/text-field'

interface EditNetworkInterfaceProps {
  project: string
  /** Name of the instance. */
  instance: string
  nic: InstanceNetworkInterface
  onDismiss: () => void
}

interface NetworkInterfaceValues {
  name: string
  description: string
  transitIps: string[]
}

/** Changes the name, the description and the transit IPs of a network interface. */
export function EditNetworkInterface(props: EditNetworkInterfaceProps) {
  const { project, instance, nic, onDismiss } = props
  const { shell } = useResourceForm({
    operation: instanceNetworkInterfaceUpdate,
    defaultValues: {
      name: nic.name,
      description: nic.description,
      transitIps: nic.transitIps ?? [],
    },
    input: (body) => ({ path: { interface: nic.name }, query: { project, instance }, body }),
    refreshes: [instanceNetworkInterfaceList],
    leave: onDismiss,
    toast: ({ name }) => text.interfaceUpdatedToast(name),
  })
  return (
    <SideModalForm
      {...shell}
      draftOf={nic.id}
      title={text.editInterfaceTitle}
      submitLabel={text.updateInterfaceLabel}
    >
      <NameField name="name" control={shell.form.control} />
      <DescriptionField name="description" control={shell.form.control} />
      <TransitIpFields control={shell.form.control} />
    </SideModalForm>
  )
}

/** Networks, in addition to its own address, whose traffic may pass through the interface. */
function TransitIpFields({ control }: { control: Control<NetworkInterfaceValues> }) {
  const { field } = useController({ control, name: 'transitIps' })
  const entry = useForm({ defaultValues: { network: '' } })
  const typed = useWatch({ control: entry.control, name: 'network' })
  const add = entryAdder(entry.handleSubmit, ({ network }) => {
    field.onChange([...field.value, network])
    entry.reset()
  })
  const problem = (network: string) =>
    validateIpNet(network) ?? (field.value.includes(network) ? text.transitIpTakenError : undefined)
  return (
    <>
      <SubForm
        name="transit-ip"
        form={entry}
        addLabel={text.addTransitIpLabel}
        isBlank={typed === ''}
        onAdd={add}
        onClear={() => entry.reset()}
      >
        <TextField
          name="network"
          control={entry.control}
          label={text.transitIpsLabel}
          isCode
          placeholder={text.transitIpPlaceholder}
          help={text.transitIpHelp}
          validate={(network) => (network ? problem(network) : undefined)}
        />
      </SubForm>
      <MiniTable
        aria-label={text.transitIpsLabel}
        columns={[
          {
            header: text.transitIpsLabel,
            cell: (network) => <span className="font-mono text-xs">{network}</span>,
          },
        ]}
        items={field.value}
        rowKey={(network) => network}
        onRemove={(network) => field.onChange(field.value.filter((each) => each !== network))}
        removeLabel={text.removeTransitIpLabel}
      />
    </>
  )
}
