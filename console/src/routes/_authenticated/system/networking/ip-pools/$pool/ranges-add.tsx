import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { ipPoolRangeAdd, ipPoolRangeList, ipPoolUtilizationView } from '~/api/generated/operations'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/ip-pool-screens'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { onDemand } from '~/ui/on-demand'

import { IpRangeFields } from './-ip-range-fields'

const RangeSummary = onDemand(async () => (await import('./-range-summary')).RangeSummary)

export const Route = createFileRoute('/_authenticated/system/networking/ip-pools/$pool/ranges-add')(
  {
    staticData: { crumb: { label: crumbs.addRangeLabel, titleOnly: true } },
    component: AddRange,
  },
)

function AddRange() {
  const path = Route.useParams()
  const navigate = useNavigate()
  const { control, shell } = useResourceForm({
    operation: ipPoolRangeAdd,
    defaultValues: { first: '', last: '' },
    input: (body) => ({ path, body }),
    refreshes: [ipPoolRangeList, ipPoolUtilizationView],
    leave: () => navigate({ to: '/system/networking/ip-pools/$pool', params: path, search: {} }),
    toast: () => text.rangeAddedToast,
  })
  return (
    <SideModalForm {...shell} title={text.addIpRangeTitle}>
      <IpRangeFields form={shell.form} />
      <RangeSummary pool={path.pool} control={control} />
    </SideModalForm>
  )
}
