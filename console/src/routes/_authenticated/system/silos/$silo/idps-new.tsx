import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { samlIdentityProviderCreate, siloIdentityProviderList } from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/identity-provider-screens'
import {
  IDENTITY_PROVIDER_FORM_DEFAULTS,
  identityProviderCreateBody,
  standardAcsUrl,
} from '~/resource/identity-provider-form'
import type { IdentityProviderFormValues } from '~/resource/identity-provider-form'
import type { SubmitError } from '~/ui/form/form-shell'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { toast } from '~/ui/toast'

import { IdentityProviderFields } from './-identity-provider-fields'

export const Route = createFileRoute('/_authenticated/system/silos/$silo/idps-new')({
  staticData: { crumb: { label: crumbs.newIdentityProviderLabel, titleOnly: true } },
  component: NewIdentityProvider,
})

function NewIdentityProvider() {
  const { silo } = Route.useParams()
  const navigate = Route.useNavigate()
  const form = useForm<IdentityProviderFormValues>({
    defaultValues: {
      ...IDENTITY_PROVIDER_FORM_DEFAULTS,
      acsUrl: standardAcsUrl(silo, '', window.location),
    },
  })
  const [isReading, setReading] = useState(false)
  const [unreadable, setUnreadable] = useState<SubmitError | null>(null)
  const leave = () => navigate({ to: '/system/silos/$silo', params: { silo }, search: {} })
  const create = useApiMutation(samlIdentityProviderCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(siloIdentityProviderList)
      await leave()
      toast({
        content: text.createdToast(name),
      })
    },
  })
  const input = async (values: IdentityProviderFormValues) => ({
    query: { silo },
    body: await identityProviderCreateBody(values),
  })
  const submit = async (values: IdentityProviderFormValues) => {
    setUnreadable(null)
    setReading(true)
    try {
      create.mutate(await input(values))
    } catch {
      create.reset()
      setUnreadable({ message: text.unreadableFileError })
    } finally {
      setReading(false)
    }
  }
  return (
    <SideModalForm
      needs={samlIdentityProviderCreate}
      form={form}
      title={text.createIdentityProviderTitle}
      submitLabel={text.createProviderLabel}
      onSubmit={submit}
      onDismiss={() => void leave()}
      loading={isReading || create.isPending}
      submitError={unreadable ?? create.error}
      calls={async (values) => [
        { operation: samlIdentityProviderCreate, input: await input(values) },
      ]}
    >
      <IdentityProviderFields form={form} silo={silo} />
    </SideModalForm>
  )
}
