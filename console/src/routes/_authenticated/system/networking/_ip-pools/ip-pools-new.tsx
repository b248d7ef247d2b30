import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { ipPoolCreate, ipPoolList } from '~/api/generated/operations'
import type { IpPoolCreate } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import { IP_POOLS_PATH } from '~/resource/ip-pool-docs'
import { IpPoolFields } from '~/resource/ip-pool-fields'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { toast } from '~/ui/toast'

export const Route = createFileRoute('/_authenticated/system/networking/_ip-pools/ip-pools-new')({
  staticData: { crumb: { label: 'New IP pool', titleOnly: true } },
  component: NewIpPool,
})

function NewIpPool() {
  const navigate = useNavigate()
  const form = useForm<IpPoolCreate>({ defaultValues: { name: '', description: '' } })
  const leave = () => navigate({ to: IP_POOLS_PATH })
  const create = useApiMutation(ipPoolCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(ipPoolList)
      await leave()
      toast({
        content: (
          <>
            IP pool <b>{name}</b> created
          </>
        ),
      })
    },
  })
  return (
    <SideModalForm
      needs={ipPoolCreate}
      form={form}
      title="Create IP pool"
      onSubmit={(body) => create.mutate({ body })}
      onDismiss={() => void leave()}
      loading={create.isPending}
      submitError={create.error}
    >
      <IpPoolFields control={form.control} />
    </SideModalForm>
  )
}
