import { createFileRoute } from '@tanstack/react-router'
import { Fingerprint } from 'lucide-react'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'

import { samlIdentityProviderView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { loginPath } from '~/resource/identity-provider-form'
import { CopyButton } from '~/ui/copy-button'
import { DateTime } from '~/ui/date-time'
import { DescriptionField } from '~/ui/form/description-field'
import { FieldSection } from '~/ui/form/field-section'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextField } from '~/ui/form/text-field'
import { PropertiesTable } from '~/ui/properties-table'
import { Truncate } from '~/ui/truncate'

const view = ({ silo, provider }: { silo: string; provider: string }) =>
  q(samlIdentityProviderView, { path: { provider }, query: { silo } })

export const Route = createFileRoute('/_authenticated/system/silos/$silo/idps/saml/$provider')({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  staticData: { crumb: { label: 'Edit Identity Provider', titleOnly: true } },
  component: ViewIdentityProvider,
})

function ViewIdentityProvider() {
  const params = Route.useParams()
  const { silo } = params
  const navigate = Route.useNavigate()
  const provider = useLoaded(view(params))
  const form = useForm({
    defaultValues: { ...provider, groupAttributeName: provider.groupAttributeName ?? '' },
  })
  const field = { control: form.control, required: true, disabled: true }
  const signIn = window.location.origin + loginPath(silo, provider.name)
  return (
    <SideModalForm
      needs={null}
      form={form}
      formType="view"
      resource="identity provider"
      title="Identity provider"
      subtitle={
        <>
          <Fingerprint aria-hidden="true" />
          {provider.name}
        </>
      }
      onDismiss={() => void navigate({ to: '/system/silos/$silo', params: { silo }, search: {} })}
      loading={false}
      submitError={null}
    >
      <PropertiesTable>
        <PropertiesTable.Row label="ID">
          <span className="min-w-0 font-mono text-xs">
            <Truncate text={provider.id} max={32} copy />
          </span>
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Created">
          <DateTime value={provider.timeCreated} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Updated">
          <DateTime value={provider.timeModified} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Login page">
          <a
            href={signIn}
            className="min-w-0 font-mono text-xs break-all underline underline-offset-3"
          >
            {loginPath(silo, provider.name)}
          </a>
          <CopyButton value={signIn} label="Copy login page" />
        </PropertiesTable.Row>
      </PropertiesTable>
      <TextField {...field} name="name" />
      <DescriptionField {...field} name="description" />
      <Copyable value={provider.technicalContactEmail} label="Copy technical contact email">
        <TextField {...field} name="technicalContactEmail" label="Technical contact email" />
      </Copyable>
      <FieldSection title="Service provider">
        <TextField {...field} name="spClientId" label="Service provider client ID" />
        <Copyable value={provider.acsUrl} label="Copy ACS URL">
          <TextField {...field} name="acsUrl" label="ACS URL" />
        </Copyable>
        <TextField {...field} name="sloUrl" label="Single Logout (SLO) URL" />
      </FieldSection>
      <FieldSection title="Identity provider">
        <TextField {...field} name="idpEntityId" label="Entity ID" />
        <TextField {...field} name="groupAttributeName" label="Group attribute name" />
      </FieldSection>
    </SideModalForm>
  )
}

interface CopyableProps {
  value: string
  label: string
  children: ReactNode
}

/** A field and the button that copies what it holds. */
function Copyable({ value, label, children }: CopyableProps) {
  return (
    <div className="flex max-w-lg items-end gap-1">
      <div className="min-w-0 grow">{children}</div>
      <div className="pb-1">
        <CopyButton value={value} label={label} />
      </div>
    </div>
  )
}
