import { useWatch } from 'react-hook-form'
import type { Control, UseFormReturn } from 'react-hook-form'

import type { SamlIdentityProviderSettings } from '~/api/generated/types.gen'
import * as common from '~/messages/common'
import * as text from '~/messages/identity-provider-screens'
import { hasOldCertificates } from '~/resource/identity-provider-edit'
import type { IdentityProviderEditValues } from '~/resource/identity-provider-edit'
import { CheckboxField } from '~/ui/form/checkbox-field'
import { FieldSection } from '~/ui/form/field-section'
import { FileField } from '~/ui/form/file-field'
import { RadioField } from '~/ui/form/radio-field'
import { Message } from '~/ui/message'

import { CertificateList } from './-certificate-list'
import { IdentityProviderNames, MetadataPlace } from './-provider-texts'
import { PublicCertificate } from './-public-certificate'

interface SectionProps {
  form: UseFormReturn<IdentityProviderEditValues>
  /** The provider before the change. */
  provider: SamlIdentityProviderSettings
}

/** Whether and how users can sign in through the provider. */
export function UseSection({ form: { control }, provider }: SectionProps) {
  const [isEnabled, allowsUnsolicited] = useWatch({
    control,
    name: ['isEnabled', 'allowsUnsolicited'],
  })
  return (
    <FieldSection title={text.signingInTitle}>
      <CheckboxField name="isEnabled" control={control}>
        {text.enabledLabel}
      </CheckboxField>
      {provider.enabled && !isEnabled && <Message tone="notice">{text.disabledHelp}</Message>}
      <CheckboxField name="allowsUnsolicited" control={control}>
        {text.acceptUnsolicitedLabel}
      </CheckboxField>
      {allowsUnsolicited && <Message tone="notice">{text.acceptUnsolicitedHelp}</Message>}
    </FieldSection>
  )
}

/** The provider's metadata, and the signing certificates from it. */
export function IdentityProviderSection({ form: { control }, provider }: SectionProps) {
  const source = useWatch({ control, name: 'metadataSource' })
  const hasOld = hasOldCertificates(provider)
  return (
    <FieldSection title={text.identityProviderTitle} description={text.identityProviderHelp}>
      <IdentityProviderNames control={control} />
      <div className="flex flex-col gap-1.5">
        <h4 className="text-sm font-medium">{text.signingCertificatesTitle}</h4>
        <p className="text-sm text-pretty text-fg-subtle">{text.signingCertificatesHelp}</p>
        <CertificateList certificates={provider.signingCertificates} />
      </div>
      <RadioField
        name="metadataSource"
        control={control}
        label={text.metadataLabel}
        options={[
          { value: 'keep', label: text.keepMetadataLabel },
          { value: 'url', label: text.metadataFromUrlLabel },
          { value: 'base64_encoded_xml', label: text.metadataFromFileLabel },
        ]}
      />
      {source !== 'keep' && <MetadataPlace control={control} source={source} />}
      {(source !== 'keep' || hasOld) && (
        <CheckboxField name="keepsOldCertificates" control={control}>
          {text.keepOldCertificatesLabel}
          <span className="block text-xs text-pretty text-fg-subtle">
            {source === 'keep' ? text.dropOldCertificatesHelp : text.keepOldCertificatesHelp}
          </span>
        </CheckboxField>
      )}
    </FieldSection>
  )
}

/** The key pairs that sign Croft's requests: the current one and, during a key change, the next one. */
export function SigningSection({ form: { control }, provider }: SectionProps) {
  const [signing, nextSigning] = useWatch({ control, name: ['signing', 'nextSigning'] })
  const { publicCert, nextPublicCert } = provider
  return (
    <FieldSection title={text.requestSigningTitle} description={text.requestSigningHelp}>
      <PublicCertificate which="current" value={publicCert} />
      <RadioField
        name="signing"
        control={control}
        label={text.signRequestsLabel}
        options={[
          {
            value: 'keep',
            label: publicCert ? text.withTheCurrentKeyLabel : text.doNotSignLabel,
          },
          ...(nextPublicCert ? [{ value: 'use_next', label: text.withTheNextKeyLabel }] : []),
          { value: 'replace', label: text.withANewKeyLabel },
          ...(publicCert ? [{ value: 'remove', label: text.doNotSignLabel }] : []),
        ]}
      />
      {signing === 'replace' && (
        <KeyPairFields
          control={control}
          cert="signingCert"
          certLabel={text.publicCertificateLabel}
          privateKey="signingKey"
          privateKeyLabel={text.privateKeyLabel}
        />
      )}
      <PublicCertificate which="next" value={nextPublicCert} />
      {signing !== 'use_next' && (
        <RadioField
          name="nextSigning"
          control={control}
          label={text.nextKeyLabel}
          options={[
            { value: 'keep', label: nextPublicCert ? text.keepLabel : text.noneLabel },
            { value: 'replace', label: nextPublicCert ? text.replaceLabel : text.addLabel },
            ...(nextPublicCert ? [{ value: 'remove', label: common.removeLabel }] : []),
          ]}
        />
      )}
      {signing !== 'use_next' && nextSigning === 'replace' && (
        <KeyPairFields
          control={control}
          cert="nextSigningCert"
          certLabel={text.nextPublicCertificateLabel}
          privateKey="nextSigningKey"
          privateKeyLabel={text.nextPrivateKeyLabel}
        />
      )}
    </FieldSection>
  )
}

interface KeyPairFieldsProps {
  control: Control<IdentityProviderEditValues>
  cert: 'signingCert' | 'nextSigningCert'
  certLabel: string
  privateKey: 'signingKey' | 'nextSigningKey'
  privateKeyLabel: string
}

function KeyPairFields(props: KeyPairFieldsProps) {
  const { control, cert, certLabel, privateKey, privateKeyLabel } = props
  return (
    <>
      <FileField
        name={cert}
        control={control}
        label={certLabel}
        help={text.certificateFormatHelp}
        required
      />
      <FileField
        name={privateKey}
        control={control}
        label={privateKeyLabel}
        help={text.privateKeyFormatHelp}
        required
      />
    </>
  )
}
