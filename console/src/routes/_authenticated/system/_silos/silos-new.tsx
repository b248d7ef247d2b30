import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { siloCreate, siloList, siloUtilizationList, siloView } from '~/api/generated/operations'
import { q } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/silo-screens'
import { SILO_FORM_DEFAULTS, siloCreateBody } from '~/resource/silo-form'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { onDemand } from '~/ui/on-demand'

import { SiloFields } from './-silo-fields'

const SiloSummary = onDemand(async () => (await import('./-silo-summary')).SiloSummary)

export const Route = createFileRoute('/_authenticated/system/_silos/silos-new')({
  staticData: { crumb: { label: crumbs.newSiloLabel, titleOnly: true } },
  component: NewSilo,
})

function NewSilo() {
  const navigate = useNavigate()
  const { control, shell } = useResourceForm({
    operation: siloCreate,
    defaultValues: SILO_FORM_DEFAULTS,
    input: (values) => ({ body: siloCreateBody(values) }),
    refreshes: [siloList, siloUtilizationList],
    view: (silo) => q(siloView, { path: { silo: silo.name } }),
    leave: () => navigate({ to: '/system/silos' }),
    toast: ({ name }) => text.createdToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.createSiloTitle}>
      <SiloFields form={shell.form} />
      <SiloSummary control={control} />
    </SideModalForm>
  )
}
