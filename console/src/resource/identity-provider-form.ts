import type {
  DerEncodedKeyPair,
  IdpMetadataSource,
  SamlIdentityProviderCreate,
} from '~/api/generated/types.gen'
import { fileToBase64 } from '~/lib/base64'
import * as text from '~/messages/identity-provider'

/** What a person enters to let a SAML provider sign people in. */
export interface IdentityProviderFormValues {
  name: string
  description: string
  technicalContactEmail: string
  spClientId: string
  acsUrl: string
  /** The ACS URL is the generated one and follows the name. */
  usesStandardAcsUrl: boolean
  sloUrl: string
  /** DER */
  publicCert: File | null
  /** DER */
  privateKey: File | null
  idpEntityId: string
  groupAttributeName: string
  metadataSource: IdpMetadataSource['type']
  metadataUrl: string
  metadataXml: File | null
}

/** A provider before anything was entered. */
export const IDENTITY_PROVIDER_FORM_DEFAULTS: IdentityProviderFormValues = {
  name: '',
  description: '',
  technicalContactEmail: '',
  spClientId: '',
  acsUrl: '',
  usesStandardAcsUrl: true,
  sloUrl: '',
  publicCert: null,
  privateKey: null,
  idpEntityId: '',
  groupAttributeName: '',
  metadataSource: 'url',
  metadataUrl: '',
  metadataXml: null,
}

/** Where a silo's people sign in through a provider; a name that is still missing is stood in for. */
export function loginPath(silo: string, provider: string): string {
  return `/login/${silo}/saml/${provider || 'idp-name'}`
}

/** The parts of `window.location` that an address is made of. */
type Page = Pick<Location, 'protocol' | 'hostname' | 'port' | 'origin'>

/**
 * Where the provider sends its responses. When the console was opened under a silo's host name, it is the new provider's silo under its
 * host name; else the way by path under the address at hand, which is known to work.
 */
export function standardAcsUrl(silo: string, provider: string, page: Page): string {
  const path = loginPath(silo, provider)
  const at = page.hostname.indexOf('.sys.')
  if (at === -1) return page.origin + path
  const host = silo + page.hostname.slice(at)
  return `${page.protocol}//${host}${page.port && `:${page.port}`}${path}`
}

/** What is wrong with an address that the provider has to reach, or `undefined`. */
export function urlProblem(url: string): string | undefined {
  if (!url) return undefined
  const isWeb = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
  return isWeb ? undefined : text.urlError
}

/** Reads the chosen files and makes the body of `samlIdentityProviderCreate`. */
export async function identityProviderCreateBody(
  values: IdentityProviderFormValues,
): Promise<SamlIdentityProviderCreate> {
  const [idpMetadataSource, signingKeypair] = await Promise.all([
    metadataSource(values),
    keyPair(values),
  ])
  return {
    name: values.name,
    description: values.description,
    technicalContactEmail: values.technicalContactEmail.trim(),
    spClientId: values.spClientId.trim(),
    acsUrl: values.acsUrl.trim(),
    sloUrl: values.sloUrl.trim(),
    signingKeypair,
    idpEntityId: values.idpEntityId.trim(),
    groupAttributeName: values.groupAttributeName.trim() || undefined,
    idpMetadataSource,
  }
}

/** What a form says of where metadata come from. */
export type MetadataValues = Pick<
  IdentityProviderFormValues,
  'metadataSource' | 'metadataUrl' | 'metadataXml'
>

/** The metadata that a form points to, or has. */
export async function metadataSource(values: MetadataValues): Promise<IdpMetadataSource> {
  const { metadataXml } = values
  return values.metadataSource === 'base64_encoded_xml' && metadataXml
    ? { type: 'base64_encoded_xml', data: await fileToBase64(metadataXml) }
    : { type: 'url', url: values.metadataUrl.trim() }
}

async function keyPair({
  publicCert,
  privateKey,
}: IdentityProviderFormValues): Promise<DerEncodedKeyPair | undefined> {
  if (!publicCert || !privateKey) return undefined
  return {
    publicCert: await fileToBase64(publicCert),
    privateKey: await fileToBase64(privateKey),
  }
}
