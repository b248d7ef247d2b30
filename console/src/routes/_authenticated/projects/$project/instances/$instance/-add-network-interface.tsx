import {
  instanceNetworkInterfaceCreate,
  instanceNetworkInterfaceList,
} from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import * as text from '~/messages/instance-network-screens'
import { NetworkInterfaceForm } from '~/resource/network-interface-form'
import { toast } from '~/ui/toast'

interface AddNetworkInterfaceProps {
  project: string
  /** Name of the instance. */
  instance: string
  onDismiss: () => void
}

/** Asks for a network interface and adds it to the instance. */
export function AddNetworkInterface({ project, instance, onDismiss }: AddNetworkInterfaceProps) {
  const create = useApiMutation(instanceNetworkInterfaceCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(instanceNetworkInterfaceList)
      onDismiss()
      toast({
        content: text.interfaceCreatedToast(name),
      })
    },
  })
  return (
    <NetworkInterfaceForm
      project={project}
      onSubmit={(body) => create.mutate({ query: { project, instance }, body })}
      onDismiss={onDismiss}
      loading={create.isPending}
      submitError={create.error}
    />
  )
}
