import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { ipPoolRangeAdd, ipPoolRangeList, ipPoolUtilizationView } from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { toast } from '~/ui/toast'

import { IpRangeFields } from './-ip-range-fields'
import type { IpRangeValues } from './-ip-range-fields'

export const Route = createFileRoute('/_authenticated/system/networking/ip-pools/$pool/ranges-add')(
  {
    staticData: { crumb: { label: 'Add Range', titleOnly: true } },
    component: AddRange,
  },
)

function AddRange() {
  const path = Route.useParams()
  const navigate = useNavigate()
  const form = useForm<IpRangeValues>({ defaultValues: { first: '', last: '' } })
  const leave = () =>
    navigate({ to: '/system/networking/ip-pools/$pool', params: path, search: {} })
  const add = useApiMutation(ipPoolRangeAdd, {
    onSuccess: async () => {
      await invalidate(ipPoolRangeList, ipPoolUtilizationView)
      await leave()
      toast({ content: 'IP range added' })
    },
  })
  return (
    <SideModalForm
      needs={ipPoolRangeAdd}
      form={form}
      title="Add IP range"
      onSubmit={(body) => add.mutate({ path, body })}
      onDismiss={() => void leave()}
      loading={add.isPending}
      submitError={add.error}
    >
      <IpRangeFields form={form} />
    </SideModalForm>
  )
}
