import { createFileRoute } from '@tanstack/react-router'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'

import {
  samlIdentityProviderDelete,
  samlIdentityProviderSettingsView,
  samlIdentityProviderUpdate,
  siloIdentityProviderList,
} from '~/api/generated/operations'
import type { SamlIdentityProviderSettings } from '~/api/generated/types.gen'
import { invalidate, load, q, useApiMutation, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/identity-provider-screens'
import { deleteIdentityProvider } from '~/resource/identity-provider-actions'
import {
  identityProviderEditValues,
  identityProviderUpdateBody,
} from '~/resource/identity-provider-edit'
import type { IdentityProviderEditValues } from '~/resource/identity-provider-edit'
import { loginPath } from '~/resource/identity-provider-form'
import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { DateTime } from '~/ui/date-time'
import { DescriptionField } from '~/ui/form/description-field'
import { FieldSection } from '~/ui/form/field-section'
import type { SubmitError } from '~/ui/form/form-shell'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { PropertiesTable } from '~/ui/properties-table'
import { toast } from '~/ui/toast'

import { IdentityProviderSection, SigningSection, UseSection } from '../../-provider-sections'
import { ServiceProviderFields, TechnicalContactField } from '../../-provider-texts'

const view = ({ silo, provider }: { silo: string; provider: string }) =>
  q(samlIdentityProviderSettingsView, { path: { provider }, query: { silo } })

export const Route = createFileRoute('/_authenticated/system/silos/$silo/idps/saml/$provider')({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  staticData: { crumb: { label: crumbs.editIdentityProviderLabel, titleOnly: true } },
  component: EditIdentityProvider,
})

function EditIdentityProvider() {
  const params = Route.useParams()
  const { silo } = params
  const navigate = Route.useNavigate()
  const provider = useLoaded(view(params))
  const form = useForm<IdentityProviderEditValues>({
    defaultValues: identityProviderEditValues(provider),
  })
  const [isReading, setReading] = useState(false)
  const [unreadable, setUnreadable] = useState<SubmitError | null>(null)
  const leave = () => navigate({ to: '/system/silos/$silo', params: { silo }, search: {} })
  const update = useApiMutation(samlIdentityProviderUpdate, {
    onSuccess: async ({ name }) => {
      await invalidate(samlIdentityProviderSettingsView, siloIdentityProviderList)
      await leave()
      toast({
        content: text.updatedToast(name),
      })
    },
  })
  const input = async (values: IdentityProviderEditValues) => ({
    path: { provider: provider.name },
    query: { silo },
    body: await identityProviderUpdateBody(provider, values),
  })
  const submit = async (values: IdentityProviderEditValues) => {
    setUnreadable(null)
    setReading(true)
    try {
      update.mutate(await input(values))
    } catch {
      update.reset()
      setUnreadable({ message: text.unreadableFileError })
    } finally {
      setReading(false)
    }
  }
  return (
    <SideModalForm
      needs={samlIdentityProviderUpdate}
      form={form}
      submitLabel={text.updateProviderLabel}
      title={text.editIdentityProviderTitle}
      subject={{ icon: Fingerprint, name: provider.name }}
      onSubmit={submit}
      onDismiss={() => void leave()}
      loading={isReading || update.isPending}
      submitError={unreadable ?? update.error}
      calls={async (values) => [
        { operation: samlIdentityProviderUpdate, input: await input(values) },
      ]}
    >
      <ProviderProperties provider={provider} silo={silo} />
      <DescriptionField name="description" control={form.control} />
      <TechnicalContactField control={form.control} />
      <UseSection form={form} provider={provider} />
      <FieldSection title={text.serviceProviderTitle} description={text.serviceProviderHelp}>
        <ServiceProviderFields control={form.control} />
      </FieldSection>
      <IdentityProviderSection form={form} provider={provider} />
      <SigningSection form={form} provider={provider} />
      <FieldSection title={text.deleteTitle} description={text.deleteProviderHelp}>
        <Button
          variant="danger"
          size="sm"
          className="self-start"
          needs={samlIdentityProviderDelete}
          onPress={() => deleteIdentityProvider(provider, silo, leave)}
        >
          {text.deleteProviderLabel}
        </Button>
      </FieldSection>
    </SideModalForm>
  )
}

/** The properties that cannot be changed. */
function ProviderProperties({
  provider,
  silo,
}: {
  provider: SamlIdentityProviderSettings
  silo: string
}) {
  const signIn = window.location.origin + loginPath(silo, provider.name)
  return (
    <PropertiesTable>
      <PropertiesTable.Id id={provider.id} />
      <PropertiesTable.Row label={text.createdLabel}>
        <DateTime value={provider.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.updatedLabel}>
        <DateTime value={provider.timeModified} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.lastSignInLabel}>
        {provider.timeLastSignIn ? (
          <DateTime value={provider.timeLastSignIn} />
        ) : (
          text.neverSignedInLabel
        )}
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.loginPageLabel}>
        <a
          href={signIn}
          className="min-w-0 font-mono text-xs break-all underline underline-offset-3"
        >
          {loginPath(silo, provider.name)}
        </a>
        <CopyButton value={signIn} label={text.copyLoginPageLabel} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.signInUrlLabel}>
        <code className="min-w-0 font-mono text-xs break-all">{provider.ssoUrl}</code>
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}
