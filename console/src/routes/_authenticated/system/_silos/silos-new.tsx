import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { siloCreate, siloList, siloUtilizationList, siloView } from '~/api/generated/operations'
import { invalidate, setCached, useApiMutation } from '~/api/query'
import { SILO_FORM_DEFAULTS, siloCreateBody } from '~/resource/silo-form'
import type { SiloFormValues } from '~/resource/silo-form'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { toast } from '~/ui/toast'

import { SiloFields } from './-silo-fields'

export const Route = createFileRoute('/_authenticated/system/_silos/silos-new')({
  staticData: { crumb: { label: 'New Silo', titleOnly: true } },
  component: NewSilo,
})

function NewSilo() {
  const navigate = useNavigate()
  const form = useForm<SiloFormValues>({ defaultValues: SILO_FORM_DEFAULTS })
  const leave = () => navigate({ to: '/system/silos' })
  const create = useApiMutation(siloCreate, {
    onSuccess: async (silo) => {
      await invalidate(siloList, siloUtilizationList)
      setCached(siloView, { path: { silo: silo.name } }, silo)
      await leave()
      toast({
        content: (
          <>
            Silo <b>{silo.name}</b> created
          </>
        ),
      })
    },
  })
  return (
    <SideModalForm
      needs={siloCreate}
      form={form}
      title="Create silo"
      onSubmit={(values) => create.mutate({ body: siloCreateBody(values) })}
      onDismiss={() => void leave()}
      loading={create.isPending}
      submitError={create.error}
    >
      <SiloFields form={form} />
    </SideModalForm>
  )
}
