import { useWatch } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'

import * as text from '~/messages/identity-provider-screens'
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
  { value: 'url', label: text.urlLabel },
  { value: 'base64_encoded_xml', label: text.xmlLabel },
]

/** The settings of a new SAML identity provider. */
export function IdentityProviderFields({ form, silo }: FieldsProps) {
  const { control } = form
  return (
    <>
      <Message tone="info">
        {text.introductionHelp('/explorer?operation=saml_identity_provider_create')}
      </Message>
      <ProviderNameField form={form} silo={silo} />
      <DescriptionField name="description" control={control} />
      <TechnicalContactField control={control} />
      <FieldSection title={text.serviceProviderTitle} description={text.serviceProviderHelp}>
        <StandardServiceProviderFields form={form} silo={silo} />
      </FieldSection>
      <FieldSection title={text.requestSigningTitle} description={text.newRequestSigningHelp}>
        <FileField
          name="publicCert"
          control={control}
          label={text.publicCertificateLabel}
          help={text.certificateFormatHelp}
          validate={(file, { privateKey }) =>
            privateKey && !file ? text.certificateMissingError : undefined
          }
        />
        <FileField
          name="privateKey"
          control={control}
          label={text.privateKeyLabel}
          help={text.privateKeyFormatHelp}
          validate={(file, { publicCert }) =>
            publicCert && !file ? text.privateKeyMissingError : undefined
          }
        />
      </FieldSection>
      <FieldSection title={text.identityProviderTitle} description={text.identityProviderHelp}>
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
      help={text.signInHelp(
        <code className="font-mono text-xs break-all">{loginPath(silo, name)}</code>,
      )}
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
          label={text.standardAcsUrlLabel}
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
        label={text.metadataSourceLabel}
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
