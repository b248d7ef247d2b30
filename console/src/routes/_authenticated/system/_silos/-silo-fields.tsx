import { useWatch } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'

import * as text from '~/messages/silo-screens'
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

// Loaded on demand: it is at the end of the form, and most silos have no certificates.
const SiloCertificates = onDemand(
  async () => (await import('~/resource/silo-certificates')).SiloCertificates,
)

const identityModes = [
  {
    value: 'saml_jit',
    label: text.samlLabel,
    detail: text.samlDetailHelp,
  },
  {
    value: 'local_only',
    label: text.localOnlyLabel,
    detail: text.localOnlyDetailHelp,
  },
]

/** All fields of the form for a new silo. */
export function SiloFields({ form }: { form: UseFormReturn<SiloFormValues> }) {
  const { control, setValue } = form
  const identityMode = useWatch({ control, name: 'identityMode' })
  return (
    <>
      <Message tone="info">{text.introductionHelp('/explorer?operation=silo_create')}</Message>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <CheckboxField name="discoverable" control={control} label={text.discoverableLabel} />
      <NumberField
        name="cpus"
        control={control}
        label={text.cpuQuotaLabel}
        unit="vCPUs"
        help={text.computeQuotaHelp}
        required
        validate={cpuQuotaProblem}
      />
      <NumberField
        name="memory"
        control={control}
        label={text.memoryQuotaLabel}
        unit="GiB"
        help={text.computeQuotaHelp}
        required
      />
      <NumberField
        name="storage"
        control={control}
        label={text.storageQuotaLabel}
        unit="GiB"
        help={text.storageQuotaHelp}
        required
      />
      <RadioField
        name="identityMode"
        control={control}
        label={text.identityModeLabel}
        options={identityModes}
        onChange={(mode) => mode === 'local_only' && setValue('adminGroupName', '')}
      />
      {identityMode === 'saml_jit' && (
        <TextField
          name="adminGroupName"
          control={control}
          label={text.adminGroupNameLabel}
          help={text.adminGroupNameHelp}
        />
      )}
      <FieldSection title={text.roleMappingTitle} description={text.roleMappingHelp}>
        <div className="flex flex-col gap-2">
          <CheckboxField
            name="grantsFleetAdmin"
            control={control}
            label={text.grantFleetAdminLabel}
          />
          <CheckboxField
            name="grantsFleetViewer"
            control={control}
            label={text.grantFleetViewerLabel}
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
      title={text.tlsCertificatesTitle}
      description={text.certificatesHelp(
        <Code>{name}.sys.…</Code>,
        <Code>
          {window.location.origin}/login/{name}/…
        </Code>,
      )}
    >
      <SiloCertificates control={control} />
    </FieldSection>
  )
}

const Code = ({ children }: { children: React.ReactNode }) => (
  <code className="font-mono text-xs break-all text-fg">{children}</code>
)
