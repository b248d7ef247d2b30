import { useController, useForm, useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import {
  instanceNetworkInterfaceList,
  instanceNetworkInterfaceUpdate,
} from '~/api/generated/operations'
import type { InstanceNetworkInterface } from '~/api/generated/types.gen'
import { useResourceForm } from '~/app/use-resource-form'
import { validateIpNet } from '~/lib/ip'
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
    toast: ({ name }) => (
      <>
        Network interface <b>{name}</b> updated
      </>
    ),
  })
  return (
    <SideModalForm {...shell} title="Edit network interface" submitLabel="Update network interface">
      <NameField name="name" control={shell.form.control} />
      <DescriptionField name="description" control={shell.form.control} />
      <TransitIpFields control={shell.form.control} />
    </SideModalForm>
  )
}

/** Networks beside its own address whose traffic the interface may send and receive. */
function TransitIpFields({ control }: { control: Control<NetworkInterfaceValues> }) {
  const { field } = useController({ control, name: 'transitIps' })
  const entry = useForm({ defaultValues: { network: '' } })
  const typed = useWatch({ control: entry.control, name: 'network' })
  const add = entryAdder(entry.handleSubmit, ({ network }) => {
    field.onChange([...field.value, network])
    entry.reset()
  })
  const problem = (network: string) =>
    validateIpNet(network) ??
    (field.value.includes(network) ? 'Transit IP already in list' : undefined)
  return (
    <>
      <SubForm
        addLabel="Add Transit IP"
        isBlank={typed === ''}
        onAdd={add}
        onClear={() => entry.reset()}
      >
        <TextField
          name="network"
          control={entry.control}
          label="Transit IPs"
          isCode
          placeholder="Enter an IP network"
          help="Additional networks whose traffic may pass through the interface, for example 192.168.0.0/16."
          validate={(network) => (network ? problem(network) : undefined)}
        />
      </SubForm>
      <MiniTable
        aria-label="Transit IPs"
        columns={[
          {
            header: 'Transit IPs',
            cell: (network) => <span className="font-mono text-xs">{network}</span>,
          },
        ]}
        items={field.value}
        rowKey={(network) => network}
        onRemove={(network) => field.onChange(field.value.filter((each) => each !== network))}
        removeLabel={(network) => `remove IP ${network}`}
      />
    </>
  )
}
