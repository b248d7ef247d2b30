import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import * as text from '~/messages/identity-provider-screens'
import { urlProblem } from '~/resource/identity-provider-form'
import type { IdentityProviderFormValues } from '~/resource/identity-provider-form'
import { CopyButton } from '~/ui/copy-button'
import { FileField } from '~/ui/form/file-field'
import { TextField } from '~/ui/form/text-field'

/** The fields that the forms for creating and for editing a provider share. */
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

/** Narrows a form's control to these fields. The form has them among others, which the type system cannot express. */
const textsOf = <V extends Texts>(control: Control<V>) => control as unknown as Control<Texts>

export function TechnicalContactField<V extends Texts>({ control }: TextsProps<V>) {
  return (
    <TextField
      name="technicalContactEmail"
      control={textsOf(control)}
      type="email"
      label={text.technicalContactEmailLabel}
      required
    />
  )
}

interface ServiceProviderFieldsProps<V extends Texts> extends TextsProps<V> {
  /** Whether the ACS URL is computed, so that it cannot be edited. */
  isAcsUrlFixed?: boolean
  /** Shown below the ACS URL. */
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
        label={text.clientIdLabel}
        help={text.clientIdHelp}
        required
      />
      <div className="flex max-w-lg flex-col gap-2">
        <div className="flex items-end gap-1">
          <div className="min-w-0 grow">
            <TextField
              name="acsUrl"
              control={control}
              label={text.acsUrlLabel}
              help={text.acsUrlHelp}
              required
              disabled={isAcsUrlFixed}
              validate={urlProblem}
            />
          </div>
          <div className="pb-1">
            <CopyButton value={acsUrl} label={text.copyAcsUrlLabel} />
          </div>
        </div>
        {acsUrlExtra}
      </div>
      <TextField
        name="sloUrl"
        control={control}
        label={text.sloUrlLabel}
        required
        validate={urlProblem}
      />
    </>
  )
}

/** The provider's entity ID and its attribute for groups. */
export function IdentityProviderNames<V extends Texts>({ control: whole }: TextsProps<V>) {
  const control = textsOf(whole)
  return (
    <>
      <TextField name="idpEntityId" control={control} label={text.entityIdLabel} required />
      <TextField
        name="groupAttributeName"
        control={control}
        label={text.groupAttributeNameLabel}
        help={text.groupAttributeNameHelp}
      />
    </>
  )
}

interface MetadataPlaceProps<V extends Texts> extends TextsProps<V> {
  source: 'url' | 'base64_encoded_xml'
}

/** The URL of the metadata, or a file with the metadata. */
export function MetadataPlace<V extends Texts>({ control: whole, source }: MetadataPlaceProps<V>) {
  const control = textsOf(whole)
  return source === 'url' ? (
    <TextField
      name="metadataUrl"
      control={control}
      label={text.metadataUrlLabel}
      help={text.metadataUrlHelp}
      required
      validate={urlProblem}
    />
  ) : (
    <FileField name="metadataXml" control={control} label={text.metadataXmlLabel} required />
  )
}
