import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Globe } from 'lucide-react'
import { useForm } from 'react-hook-form'

import {
  ipPoolList,
  ipPoolUpdate,
  ipPoolView,
  projectIpPoolList,
  projectIpPoolView,
  siloIpPoolList,
} from '~/api/generated/operations'
import type { IpPoolCreate } from '~/api/generated/types.gen'
import { invalidate, load, q, setCached, useApiMutation, useLoaded } from '~/api/query'
import { IpPoolFields } from '~/resource/ip-pool-fields'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { toast } from '~/ui/toast'

export const Route = createFileRoute('/_authenticated/system/networking/ip-pools/$pool/edit')({
  loader: ({ context, params }) => load(context.queryClient, q(ipPoolView, { path: params })),
  staticData: { crumb: { label: 'Edit IP pool', titleOnly: true } },
  component: EditIpPool,
})

function EditIpPool() {
  const path = Route.useParams()
  const navigate = useNavigate()
  const { name, description } = useLoaded(q(ipPoolView, { path }))
  const form = useForm<IpPoolCreate>({ defaultValues: { name, description } })
  const openPool = (pool: string) =>
    navigate({ to: '/system/networking/ip-pools/$pool', params: { pool }, search: {} })
  const update = useApiMutation(ipPoolUpdate, {
    onSuccess: async (pool) => {
      setCached(ipPoolView, { path: { pool: pool.name } }, pool)
      // The old name leads nowhere any more: leave it before anything is asked for again.
      await openPool(pool.name)
      await invalidate(ipPoolView, ipPoolList, siloIpPoolList, projectIpPoolList, projectIpPoolView)
      toast({
        content: (
          <>
            IP pool <b>{pool.name}</b> updated
          </>
        ),
      })
    },
  })
  return (
    <SideModalForm
      needs={ipPoolUpdate}
      form={form}
      title="Edit IP pool"
      submitLabel="Update IP pool"
      subtitle={
        <>
          <Globe aria-hidden="true" />
          {name}
        </>
      }
      onSubmit={(body) => update.mutate({ path, body })}
      onDismiss={() => void openPool(path.pool)}
      loading={update.isPending}
      submitError={update.error}
    >
      <IpPoolFields control={form.control} />
    </SideModalForm>
  )
}
