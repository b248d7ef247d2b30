import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { urlProblem } from '~/resource/identity-provider-form'
import type { IdentityProviderFormValues } from '~/resource/identity-provider-form'
import { CopyButton } from '~/ui/copy-button'
import { FileField } from '~/ui/form/file-field'
import { TextField } from '~/ui/form/text-field'

/** What making and changing a provider ask for alike. */
type Texts = Pick<
  IdentityProviderFormValues,
  | 'technicalContactEmail'
  | 'spClientId'
  | 'acsUrl'
  | 'sloUrl'
  | 'idpEntityId'
  | 'groupAttributeName'
  | 'metadataUrl'
  | 'metadataXml'
>

interface TextsProps<V extends Texts> {
  control: Control<V>
}

/** A form that has these fields among others, which its type cannot say. */
const textsOf = <V extends Texts>(control: Control<V>) => control as unknown as Control<Texts>

export function TechnicalContactField<V extends Texts>({ control }: TextsProps<V>) {
  return (
    <TextField
      name="technicalContactEmail"
      control={textsOf(control)}
      type="email"
      label="Technical contact email"
      required
    />
  )
}

interface ServiceProviderFieldsProps<V extends Texts> extends TextsProps<V> {
  /** Whether the ACS URL is made up elsewhere. */
  isAcsUrlFixed?: boolean
  /** Stands below the ACS URL. */
  acsUrlExtra?: ReactNode
}

/** How the provider identifies Croft. */
export function ServiceProviderFields<V extends Texts>({
  control: whole,
  isAcsUrlFixed,
  acsUrlExtra,
}: ServiceProviderFieldsProps<V>) {
  const control = textsOf(whole)
  const acsUrl = useWatch({ control, name: 'acsUrl' })
  return (
    <>
      <TextField
        name="spClientId"
        control={control}
        label="Service provider client ID"
        help="The name that the provider uses for this silo (SAML audience)"
        required
      />
      <div className="flex max-w-lg flex-col gap-2">
        <div className="flex items-end gap-1">
          <div className="min-w-0 grow">
            <TextField
              name="acsUrl"
              control={control}
              label="ACS URL"
              help="Where the provider sends its responses"
              required
              disabled={isAcsUrlFixed}
              validate={urlProblem}
            />
          </div>
          <div className="pb-1">
            <CopyButton value={acsUrl} label="Copy ACS URL" />
          </div>
        </div>
        {acsUrlExtra}
      </div>
      <TextField
        name="sloUrl"
        control={control}
        label="Single Logout (SLO) URL"
        required
        validate={urlProblem}
      />
    </>
  )
}

/** What the provider calls itself and its groups. */
export function IdentityProviderNames<V extends Texts>({ control: whole }: TextsProps<V>) {
  const control = textsOf(whole)
  return (
    <>
      <TextField name="idpEntityId" control={control} label="Entity ID" required />
      <TextField
        name="groupAttributeName"
        control={control}
        label="Group attribute name"
        help="The attribute that lists a user’s groups. Without it, users are in no groups."
      />
    </>
  )
}

interface MetadataPlaceProps<V extends Texts> extends TextsProps<V> {
  source: 'url' | 'base64_encoded_xml'
}

/** Where the metadata are, or the metadata. */
export function MetadataPlace<V extends Texts>({ control: whole, source }: MetadataPlaceProps<V>) {
  const control = textsOf(whole)
  return source === 'url' ? (
    <TextField
      name="metadataUrl"
      control={control}
      label="Metadata source URL"
      help="The server reads it once, when you submit this form"
      required
      validate={urlProblem}
    />
  ) : (
    <FileField name="metadataXml" control={control} label="Metadata source XML" required />
  )
}
