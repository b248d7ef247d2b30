import {
  instanceNetworkInterfaceCreate,
  instanceNetworkInterfaceList,
} from '~/api/generated/operations'
import type { InstanceNetworkInterfaceCreate } from '~/api/generated/types.gen'
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
  const input = (body: InstanceNetworkInterfaceCreate) => ({ query: { project, instance }, body })
  return (
    <NetworkInterfaceForm
      project={project}
      onSubmit={(body) => create.mutate(input(body))}
      calls={(body) => [{ operation: instanceNetworkInterfaceCreate, input: input(body) }]}
      onDismiss={onDismiss}
      loading={create.isPending}
      submitError={create.error}
    />
  )
}
