import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Globe } from 'lucide-react'

import {
  ipPoolList,
  ipPoolUpdate,
  ipPoolView,
  projectIpPoolList,
  projectIpPoolView,
  siloIpPoolList,
} from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/ip-pool-screens'
import { IpPoolFields } from '~/resource/ip-pool-fields'
import { SideModalForm } from '~/ui/form/side-modal-form'

export const Route = createFileRoute('/_authenticated/system/networking/ip-pools/$pool/edit')({
  loader: ({ context, params }) => load(context.queryClient, q(ipPoolView, { path: params })),
  staticData: { crumb: { label: crumbs.editIpPoolLabel, titleOnly: true } },
  component: EditIpPool,
})

function EditIpPool() {
  const path = Route.useParams()
  const navigate = useNavigate()
  const { name, description } = useLoaded(q(ipPoolView, { path }))
  const { control, shell } = useResourceForm({
    operation: ipPoolUpdate,
    defaultValues: { name, description },
    input: (body) => ({ path, body }),
    refreshes: [ipPoolView, ipPoolList, siloIpPoolList, projectIpPoolList, projectIpPoolView],
    view: (pool) => q(ipPoolView, { path: { pool: pool.name } }),
    mayRename: true,
    leave: (pool) =>
      navigate({
        to: '/system/networking/ip-pools/$pool',
        params: { pool: pool?.name ?? path.pool },
        search: {},
      }),
    toast: (pool) => text.updatedToast(pool.name),
  })
  return (
    <SideModalForm
      {...shell}
      title={text.editIpPoolTitle}
      submitLabel={text.updateIpPoolLabel}
      subject={{ icon: Globe, name: name }}
    >
      <IpPoolFields control={control} />
    </SideModalForm>
  )
}
