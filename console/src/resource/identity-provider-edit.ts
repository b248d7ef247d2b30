import type {
  DerEncodedKeyPair,
  IdpMetadataSource,
  SamlIdentityProviderSettings,
  SamlIdentityProviderUpdate,
} from '~/api/generated/types.gen'
import { fileToBase64 } from '~/lib/base64'

import { metadataSource } from './identity-provider-form'

/** What to do with the key pair that signs requests. */
export type SigningChange = 'keep' | 'use_next' | 'replace' | 'remove'

/** What to do with the key pair that will sign requests next. */
export type NextSigningChange = 'keep' | 'replace' | 'remove'

/** The values of the form that changes a SAML provider. */
export interface IdentityProviderEditValues {
  description: string
  isEnabled: boolean
  allowsUnsolicited: boolean
  technicalContactEmail: string
  spClientId: string
  acsUrl: string
  sloUrl: string
  idpEntityId: string
  groupAttributeName: string
  metadataSource: 'keep' | IdpMetadataSource['type']
  metadataUrl: string
  metadataXml: File | null
  keepsOldCertificates: boolean
  signing: SigningChange
  signingCert: File | null
  signingKey: File | null
  nextSigning: NextSigningChange
  nextSigningCert: File | null
  nextSigningKey: File | null
}

/** The initial values of the form. */
export function identityProviderEditValues(
  provider: SamlIdentityProviderSettings,
): IdentityProviderEditValues {
  return {
    description: provider.description,
    isEnabled: provider.enabled,
    allowsUnsolicited: provider.allowUnsolicited,
    technicalContactEmail: provider.technicalContactEmail,
    spClientId: provider.spClientId,
    acsUrl: provider.acsUrl,
    sloUrl: provider.sloUrl,
    idpEntityId: provider.idpEntityId,
    groupAttributeName: provider.groupAttributeName ?? '',
    metadataSource: 'keep',
    metadataUrl: provider.metadataUrl ?? '',
    metadataXml: null,
    keepsOldCertificates: true,
    signing: 'keep',
    signingCert: null,
    signingKey: null,
    nextSigning: 'keep',
    nextSigningCert: null,
    nextSigningKey: null,
  }
}

/** Whether certificates of earlier metadata are still accepted. */
export const hasOldCertificates = (provider: SamlIdentityProviderSettings): boolean =>
  provider.signingCertificates.some(({ fromOldMetadata }) => fromOldMetadata)

/** Reads the selected files and returns the body of `samlIdentityProviderUpdate`, which contains only what was changed. */
export async function identityProviderUpdateBody(
  before: SamlIdentityProviderSettings,
  values: IdentityProviderEditValues,
): Promise<SamlIdentityProviderUpdate> {
  const changed = <Value>(value: Value, old: Value) => (value === old ? undefined : value)
  const { metadataSource: source } = values
  const [idpMetadataSource, signingKeypair, nextSigningKeypair] = await Promise.all([
    source === 'keep' ? undefined : metadataSource({ ...values, metadataSource: source }),
    keyPairChange(values.signing, values.signingCert, values.signingKey),
    keyPairChange(values.nextSigning, values.nextSigningCert, values.nextSigningKey),
  ])
  return {
    description: changed(values.description, before.description),
    enabled: changed(values.isEnabled, before.enabled),
    allowUnsolicited: changed(values.allowsUnsolicited, before.allowUnsolicited),
    technicalContactEmail: changed(
      values.technicalContactEmail.trim(),
      before.technicalContactEmail,
    ),
    spClientId: changed(values.spClientId.trim(), before.spClientId),
    acsUrl: changed(values.acsUrl.trim(), before.acsUrl),
    sloUrl: changed(values.sloUrl.trim(), before.sloUrl),
    idpEntityId: changed(values.idpEntityId.trim(), before.idpEntityId),
    groupAttributeName: changed(
      values.groupAttributeName.trim() || null,
      before.groupAttributeName ?? null,
    ),
    idpMetadataSource,
    keepOldCertificates:
      source !== 'keep' || (hasOldCertificates(before) && !values.keepsOldCertificates)
        ? values.keepsOldCertificates
        : undefined,
    signingKeypair,
    nextSigningKeypair,
    useNextSigningKeypair: values.signing === 'use_next' || undefined,
  }
}

/** The new pair, `null` to remove it, `undefined` to keep it. */
async function keyPairChange(
  change: SigningChange,
  cert: File | null,
  key: File | null,
): Promise<DerEncodedKeyPair | null | undefined> {
  if (change === 'remove') return null
  if (change !== 'replace' || !cert || !key) return undefined
  const [publicCert, privateKey] = await Promise.all([fileToBase64(cert), fileToBase64(key)])
  return { publicCert, privateKey }
}

const DAY_MS = 86_400_000

/** Days before the expiry of a certificate at which the warning starts. */
export const WARNING_DAYS = 30

/** Whether a certificate has expired or expires soon; `undefined` otherwise. */
export function certificateState(ends: Date, now: Date): 'expired' | 'expiring' | undefined {
  const left = ends.getTime() - now.getTime()
  if (left <= 0) return 'expired'
  return left <= WARNING_DAYS * DAY_MS ? 'expiring' : undefined
}

/** Hexadecimal digits in pairs separated by colons, the usual format of fingerprints. */
export const fingerprint = (hex: string): string => (hex.toUpperCase().match(/../g) ?? []).join(':')

/** A certificate as PEM, from its DER in base64. */
export const certificatePem = (base64: string): string =>
  [
    '-----BEGIN CERTIFICATE-----',
    ...(base64.match(/.{1,64}/g) ?? []),
    '-----END CERTIFICATE-----',
    '',
  ].join('\n')
