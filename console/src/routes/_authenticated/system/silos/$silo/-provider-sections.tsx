import { useWatch } from 'react-hook-form'
import type { Control, UseFormReturn } from 'react-hook-form'

import type { SamlIdentityProviderSettings } from '~/api/generated/types.gen'
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

/** Whether and how people can sign in through the provider. */
export function UseSection({ form: { control }, provider }: SectionProps) {
  const [isEnabled, allowsUnsolicited] = useWatch({
    control,
    name: ['isEnabled', 'allowsUnsolicited'],
  })
  return (
    <FieldSection title="Signing in">
      <CheckboxField name="isEnabled" control={control}>
        Users can sign in through this provider
      </CheckboxField>
      {provider.enabled && !isEnabled && (
        <Message tone="notice">
          Sessions opened through it end as soon as you save. It is not offered on the login page,
          and its responses are rejected.
        </Message>
      )}
      <CheckboxField name="allowsUnsolicited" control={control}>
        Accept unsolicited responses
      </CheckboxField>
      {allowsUnsolicited && (
        <Message tone="notice">
          Needed if users start at the provider’s own page. An attacker who gets a user to open a
          link can then sign that user in as somebody else.
        </Message>
      )}
    </FieldSection>
  )
}

/** What the provider says of itself, and the certificates that follow from it. */
export function IdentityProviderSection({ form: { control }, provider }: SectionProps) {
  const source = useWatch({ control, name: 'metadataSource' })
  const hasOld = hasOldCertificates(provider)
  return (
    <FieldSection title="Identity provider" description="How Croft identifies the provider.">
      <IdentityProviderNames control={control} />
      <div className="flex flex-col gap-1.5">
        <h4 className="text-sm font-medium">Signing certificates</h4>
        <p className="text-sm text-pretty text-fg-subtle">
          From the provider’s metadata. Responses signed with these keys are accepted, even after
          the certificates expire.
        </p>
        <CertificateList certificates={provider.signingCertificates} />
      </div>
      <RadioField
        name="metadataSource"
        control={control}
        label="Metadata"
        options={[
          { value: 'keep', label: 'Keep the current metadata' },
          { value: 'url', label: 'Load new metadata from a URL' },
          { value: 'base64_encoded_xml', label: 'Load new metadata from a file' },
        ]}
      />
      {source !== 'keep' && <MetadataPlace control={control} source={source} />}
      {(source !== 'keep' || hasOld) && (
        <CheckboxField name="keepsOldCertificates" control={control}>
          Keep the old certificates
          <span className="block text-xs text-pretty text-fg-subtle">
            {source === 'keep'
              ? 'Clear this once the provider signs with its new key.'
              : 'Select this while the provider changes its keys. Clear it if an old key was compromised.'}
          </span>
        </CheckboxField>
      )}
    </FieldSection>
  )
}

/** The key pairs that sign what Croft sends: the present one and, during a change, the next. */
export function SigningSection({ form: { control }, provider }: SectionProps) {
  const [signing, nextSigning] = useWatch({ control, name: ['signing', 'nextSigning'] })
  const { publicCert, nextPublicCert } = provider
  return (
    <FieldSection
      title="Request signing"
      description="To change the key, add the next key here and give its certificate to the provider’s administrators. Once they accept it, sign with the next key."
    >
      <PublicCertificate label="Current certificate" value={publicCert} />
      <RadioField
        name="signing"
        control={control}
        label="Sign requests"
        options={[
          {
            value: 'keep',
            label: publicCert ? 'With the current key' : 'Do not sign',
          },
          ...(nextPublicCert ? [{ value: 'use_next', label: 'With the next key' }] : []),
          { value: 'replace', label: 'With a new key' },
          ...(publicCert ? [{ value: 'remove', label: 'Do not sign' }] : []),
        ]}
      />
      {signing === 'replace' && (
        <KeyPairFields control={control} cert="signingCert" privateKey="signingKey" />
      )}
      <PublicCertificate label="Next certificate" value={nextPublicCert} />
      {signing !== 'use_next' && (
        <RadioField
          name="nextSigning"
          control={control}
          label="Next key"
          options={[
            { value: 'keep', label: nextPublicCert ? 'Keep' : 'None' },
            { value: 'replace', label: nextPublicCert ? 'Replace' : 'Add' },
            ...(nextPublicCert ? [{ value: 'remove', label: 'Remove' }] : []),
          ]}
        />
      )}
      {signing !== 'use_next' && nextSigning === 'replace' && (
        <KeyPairFields
          control={control}
          cert="nextSigningCert"
          privateKey="nextSigningKey"
          prefix="Next "
        />
      )}
    </FieldSection>
  )
}

interface KeyPairFieldsProps {
  control: Control<IdentityProviderEditValues>
  cert: 'signingCert' | 'nextSigningCert'
  privateKey: 'signingKey' | 'nextSigningKey'
  prefix?: string
}

function KeyPairFields({ control, cert, privateKey, prefix = '' }: KeyPairFieldsProps) {
  const label = (text: string) => (prefix ? prefix + text.toLowerCase() : text)
  return (
    <>
      <FileField
        name={cert}
        control={control}
        label={label('Public certificate')}
        help="DER"
        required
      />
      <FileField
        name={privateKey}
        control={control}
        label={label('Private key')}
        help="RSA, PKCS#1, DER"
        required
      />
    </>
  )
}
