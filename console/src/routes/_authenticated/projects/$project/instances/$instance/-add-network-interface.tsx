import { useQuery } from '@tanstack/react-query'

import {
  instanceNetworkInterfaceCreate,
  instanceNetworkInterfaceList,
  vpcView,
} from '~/api/generated/operations'
import { invalidate, qOutcome, useApiMutation } from '~/api/query'
import { NetworkInterfaceForm } from '~/resource/network-interface-form'
import { toast } from '~/ui/toast'

interface AddNetworkInterfaceProps {
  project: string
  /** Name of the instance. */
  instance: string
  /** The VPC of the interfaces that it has, if it has any. */
  vpcId: string | undefined
  onDismiss: () => void
}

/** Asks for a network interface and adds it to the instance. */
export function AddNetworkInterface(props: AddNetworkInterfaceProps) {
  const { project, instance, vpcId, onDismiss } = props
  // The tab behind shows its name, so it is there already.
  const { data: vpc } = useQuery({
    ...qOutcome(vpcView, { path: { vpc: vpcId ?? '' } }),
    enabled: vpcId !== undefined,
  })
  const create = useApiMutation(instanceNetworkInterfaceCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(instanceNetworkInterfaceList)
      onDismiss()
      toast({
        content: (
          <>
            Network interface <b>{name}</b> created
          </>
        ),
      })
    },
  })
  return (
    <NetworkInterfaceForm
      project={project}
      vpc={vpc?.type === 'success' ? vpc.data.name : undefined}
      onSubmit={(body) => create.mutate({ query: { project, instance }, body })}
      onDismiss={onDismiss}
      loading={create.isPending}
      submitError={create.error}
    />
  )
}
