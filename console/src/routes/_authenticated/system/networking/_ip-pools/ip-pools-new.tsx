import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { ipPoolCreate, ipPoolList } from '~/api/generated/operations'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/ip-pool-screens'
import { IpPoolFields } from '~/resource/ip-pool-fields'
import { IP_POOLS_PATH } from '~/resource/system-paths'
import { SideModalForm } from '~/ui/form/side-modal-form'

export const Route = createFileRoute('/_authenticated/system/networking/_ip-pools/ip-pools-new')({
  staticData: { crumb: { label: crumbs.newIpPoolLabel, titleOnly: true } },
  component: NewIpPool,
})

function NewIpPool() {
  const navigate = useNavigate()
  const { control, shell } = useResourceForm({
    operation: ipPoolCreate,
    defaultValues: { name: '', description: '' },
    input: (body) => ({ body }),
    refreshes: [ipPoolList],
    leave: () => navigate({ to: IP_POOLS_PATH }),
    toast: ({ name }) => text.createdToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.createIpPoolTitle}>
      <IpPoolFields control={control} />
    </SideModalForm>
  )
}
