import { useWatch } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'

import { cpuQuotaProblem } from '~/resource/silo-form'
import type { SiloFormValues } from '~/resource/silo-form'
import { CheckboxField } from '~/ui/form/checkbox-field'
import { DescriptionField } from '~/ui/form/description-field'
import { FieldSection } from '~/ui/form/field-section'
import { NameField } from '~/ui/form/name-field'
import { NumberField } from '~/ui/form/number-field'
import { RadioField } from '~/ui/form/radio-field'
import { TextField } from '~/ui/form/text-field'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'

// Last in the form, and most silos do without.
const SiloCertificates = onDemand(
  async () => (await import('~/resource/silo-certificates')).SiloCertificates,
)

const identityModes = [
  {
    value: 'saml_jit',
    label: 'SAML',
    detail: 'Users sign in through an identity provider and are created at their first sign-in',
  },
  {
    value: 'local_only',
    label: 'Local only',
    detail: 'You create the users, and they sign in with a password',
  },
]

/** Everything that a silo is made of. */
export function SiloFields({ form }: { form: UseFormReturn<SiloFormValues> }) {
  const { control, setValue } = form
  const identityMode = useWatch({ control, name: 'identityMode' })
  return (
    <>
      <Message tone="info">
        A silo is an isolated tenant. Its identity mode and role mapping cannot be changed later.
        More about{' '}
        <a href="/explorer?operation=silo_create" target="_blank" rel="noreferrer">
          silos
        </a>
        .
      </Message>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <CheckboxField name="discoverable" control={control} label="Discoverable" />
      <NumberField
        name="cpus"
        control={control}
        label="CPU quota"
        unit="vCPUs"
        required
        validate={cpuQuotaProblem}
      />
      <NumberField name="memory" control={control} label="Memory quota" unit="GiB" required />
      <NumberField name="storage" control={control} label="Storage quota" unit="GiB" required />
      <RadioField
        name="identityMode"
        control={control}
        label="Identity mode"
        options={identityModes}
        onChange={(mode) => mode === 'local_only' && setValue('adminGroupName', '')}
      />
      {identityMode === 'saml_jit' && (
        <TextField
          name="adminGroupName"
          control={control}
          label="Admin group name"
          help="This group is created with the silo and gets its admin role. Give it the name that the identity provider uses."
        />
      )}
      <FieldSection
        title="Role mapping"
        description="Silo roles that also grant a role on the fleet. Only a fleet admin can set this."
      >
        <div className="flex flex-col gap-2">
          <CheckboxField
            name="grantsFleetAdmin"
            control={control}
            label="Grant fleet admin role to silo admins"
          />
          <CheckboxField
            name="grantsFleetViewer"
            control={control}
            label="Grant fleet viewer role to silo viewers"
          />
        </div>
      </FieldSection>
      <CertificateSection form={form} />
    </>
  )
}

function CertificateSection({ form: { control } }: { form: UseFormReturn<SiloFormValues> }) {
  const name = useWatch({ control, name: 'name' }) || 'silo-name'
  return (
    <FieldSection
      title="TLS Certificates"
      description={
        <>
          For the silo’s own host name, <Code>{name}.sys.…</Code> Without a certificate, users sign
          in to the silo at this address:{' '}
          <Code>
            {window.location.origin}/login/{name}/…
          </Code>
        </>
      }
    >
      <SiloCertificates control={control} />
    </FieldSection>
  )
}

const Code = ({ children }: { children: React.ReactNode }) => (
  <code className="font-mono text-xs break-all text-fg">{children}</code>
)
