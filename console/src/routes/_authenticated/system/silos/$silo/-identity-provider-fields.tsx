import { useWatch } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'

import { loginPath, standardAcsUrl, urlProblem } from '~/resource/identity-provider-form'
import type { IdentityProviderFormValues } from '~/resource/identity-provider-form'
import { CopyButton } from '~/ui/copy-button'
import { CheckboxField } from '~/ui/form/checkbox-field'
import { DescriptionField } from '~/ui/form/description-field'
import { FieldSection } from '~/ui/form/field-section'
import { FileField } from '~/ui/form/file-field'
import { NameField } from '~/ui/form/name-field'
import { RadioField } from '~/ui/form/radio-field'
import { TextField } from '~/ui/form/text-field'
import { Message } from '~/ui/message'

interface FieldsProps {
  form: UseFormReturn<IdentityProviderFormValues>
  /** Name of the silo. */
  silo: string
}

const metadataSources = [
  { value: 'url', label: 'URL' },
  { value: 'base64_encoded_xml', label: 'XML' },
]

/** Everything that the two sides of a SAML login have to know of each other. */
export function IdentityProviderFields({ form, silo }: FieldsProps) {
  const { control } = form
  return (
    <>
      <Message tone="info">
        A provider cannot be changed or removed later. Enter here what its administrators give you,
        and give them the client ID and the ACS URL. More about{' '}
        <a
          href="/explorer?operation=saml_identity_provider_create"
          target="_blank"
          rel="noreferrer"
        >
          identity providers
        </a>
        .
      </Message>
      <ProviderNameField form={form} silo={silo} />
      <DescriptionField name="description" control={control} />
      <TextField
        name="technicalContactEmail"
        control={control}
        type="email"
        label="Technical contact email"
        required
      />
      <FieldSection title="Service provider" description="What Croft is to the provider.">
        <TextField
          name="spClientId"
          control={control}
          label="Service provider client ID"
          help="The name under which the provider knows this silo; its audience"
          required
        />
        <AcsUrlField form={form} silo={silo} />
        <TextField
          name="sloUrl"
          control={control}
          label="Single Logout (SLO) URL"
          required
          validate={urlProblem}
        />
      </FieldSection>
      <FieldSection
        title="Request signing"
        description="Signs what Croft sends to the provider. Give both files or none."
      >
        <FileField
          name="publicCert"
          control={control}
          label="Public certificate"
          help="DER"
          validate={(file, { privateKey }) =>
            privateKey && !file ? 'Public certificate is required with a private key' : undefined
          }
        />
        <FileField
          name="privateKey"
          control={control}
          label="Private key"
          help="RSA, PKCS#1, DER"
          validate={(file, { publicCert }) =>
            publicCert && !file ? 'Private key is required with a public certificate' : undefined
          }
        />
      </FieldSection>
      <FieldSection title="Identity provider" description="What the provider says of itself.">
        <TextField name="idpEntityId" control={control} label="Entity ID" required />
        <TextField
          name="groupAttributeName"
          control={control}
          label="Group attribute name"
          help="The attribute that lists a person’s groups. Without it nobody is in a group."
        />
        <MetadataFields form={form} />
      </FieldSection>
    </>
  )
}

function ProviderNameField({ form: { control, setValue, getValues }, silo }: FieldsProps) {
  const name = useWatch({ control, name: 'name' })
  return (
    <NameField
      name="name"
      control={control}
      help={
        <>
          People sign in at{' '}
          <code className="font-mono text-xs break-all">{loginPath(silo, name)}</code>
        </>
      }
      onChange={(entered) => {
        if (!getValues('usesStandardAcsUrl')) return
        setValue('acsUrl', standardAcsUrl(silo, entered, window.location))
      }}
    />
  )
}

function AcsUrlField({ form: { control, setValue, getValues, clearErrors }, silo }: FieldsProps) {
  const [isStandard, url] = useWatch({ control, name: ['usesStandardAcsUrl', 'acsUrl'] })
  return (
    <div className="flex max-w-lg flex-col gap-2">
      <div className="flex items-end gap-1">
        <div className="min-w-0 grow">
          <TextField
            name="acsUrl"
            control={control}
            label="ACS URL"
            help="Where the provider sends its answers"
            required
            disabled={isStandard}
            validate={urlProblem}
          />
        </div>
        <div className="pb-1">
          <CopyButton value={url} label="Copy ACS URL" />
        </div>
      </div>
      <CheckboxField
        name="usesStandardAcsUrl"
        control={control}
        label="Use standard ACS URL"
        onChange={(isTicked) => {
          if (!isTicked) return
          setValue('acsUrl', standardAcsUrl(silo, getValues('name'), window.location))
          clearErrors('acsUrl')
        }}
      />
    </div>
  )
}

function MetadataFields({ form: { control, setValue, clearErrors } }: Pick<FieldsProps, 'form'>) {
  const source = useWatch({ control, name: 'metadataSource' })
  return (
    <>
      <RadioField
        name="metadataSource"
        control={control}
        label="Metadata source"
        orientation="horizontal"
        options={metadataSources}
        onChange={() => {
          setValue('metadataUrl', '')
          setValue('metadataXml', null)
          clearErrors(['metadataUrl', 'metadataXml'])
        }}
      />
      {source === 'url' ? (
        <TextField
          name="metadataUrl"
          control={control}
          label="Metadata source URL"
          help="Read once, now, by the server"
          required
          validate={urlProblem}
        />
      ) : (
        <FileField name="metadataXml" control={control} label="Metadata source XML" required />
      )}
    </>
  )
}
