import { useWatch } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'

import { loginPath, standardAcsUrl } from '~/resource/identity-provider-form'
import type { IdentityProviderFormValues } from '~/resource/identity-provider-form'
import { CheckboxField } from '~/ui/form/checkbox-field'
import { DescriptionField } from '~/ui/form/description-field'
import { FieldSection } from '~/ui/form/field-section'
import { FileField } from '~/ui/form/file-field'
import { NameField } from '~/ui/form/name-field'
import { RadioField } from '~/ui/form/radio-field'
import { Message } from '~/ui/message'

import {
  IdentityProviderNames,
  MetadataPlace,
  ServiceProviderFields,
  TechnicalContactField,
} from './-provider-texts'

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
        Enter the details that the provider’s administrators give you, and give them the client ID
        and the ACS URL. More about{' '}
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
      <TechnicalContactField control={control} />
      <FieldSection title="Service provider" description="How the provider identifies Croft.">
        <StandardServiceProviderFields form={form} silo={silo} />
      </FieldSection>
      <FieldSection
        title="Request signing"
        description="Signs the requests that Croft sends to the provider. Select both files or neither."
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
      <FieldSection title="Identity provider" description="How Croft identifies the provider.">
        <IdentityProviderNames control={control} />
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
          Users sign in at{' '}
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

function StandardServiceProviderFields({ form, silo }: FieldsProps) {
  const { control, setValue, getValues, clearErrors } = form
  const isStandard = useWatch({ control, name: 'usesStandardAcsUrl' })
  return (
    <ServiceProviderFields
      control={control}
      isAcsUrlFixed={isStandard}
      acsUrlExtra={
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
      }
    />
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
      <MetadataPlace control={control} source={source} />
    </>
  )
}
