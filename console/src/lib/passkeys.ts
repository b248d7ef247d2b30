import * as text from '~/messages/passkeys'

import { fromBase64Url, toBase64Url } from './base64-url'

/** The properties of a page that decide whether passkeys work on it. */
type Surroundings = Pick<Window, 'isSecureContext'> & {
  PublicKeyCredential?: unknown
  location: Pick<Location, 'hostname'>
}

/** Why passkeys cannot be used on this page, or `undefined`. */
export function passkeyRefusal(page: Surroundings = window): string | undefined {
  if (!page.isSecureContext) {
    return text.httpsError
  }
  if (!page.PublicKeyCredential) return text.unsupportedError
  if (/^[\d.]+$|:/.test(page.location.hostname)) {
    return text.hostNameError
  }
  return undefined
}

/** A value with a `toJSON`. Its keys are not converted in requests. */
type Printable = {
  toJSON: () => unknown
}

/**
 * Asks the browser to create a passkey.
 *
 * @param options the options from the server, as JSON.
 * @returns the credential to send to the server.
 */
export async function makePasskey(options: unknown): Promise<Printable> {
  const publicKey = creationOptions(options as PublicKeyCredentialCreationOptionsJSON)
  return printable(await navigator.credentials.create({ publicKey }))
}

/** Asks the browser for an existing passkey; otherwise like {@link makePasskey}. */
export async function showPasskey(options: unknown): Promise<Printable> {
  const publicKey = requestOptions(options as PublicKeyCredentialRequestOptionsJSON)
  return printable(await navigator.credentials.get({ publicKey }))
}

/** The conversions of newer browsers, which older ones lack. */
type Conversions = Partial<
  Pick<typeof PublicKeyCredential, 'parseCreationOptionsFromJSON' | 'parseRequestOptionsFromJSON'>
>
const conversions = (): Conversions => PublicKeyCredential

/** Options for `navigator.credentials.create`, with bytes in place of their texts. */
export function creationOptions(
  json: PublicKeyCredentialCreationOptionsJSON,
): PublicKeyCredentialCreationOptions {
  return (
    conversions().parseCreationOptionsFromJSON?.(json) ??
    ({
      ...json,
      challenge: fromBase64Url(json.challenge),
      user: { ...json.user, id: fromBase64Url(json.user.id) },
      excludeCredentials: json.excludeCredentials?.map(withBytes),
    } as PublicKeyCredentialCreationOptions)
  )
}

/** Options for `navigator.credentials.get`, with bytes in place of their texts. */
export function requestOptions(
  json: PublicKeyCredentialRequestOptionsJSON,
): PublicKeyCredentialRequestOptions {
  return (
    conversions().parseRequestOptionsFromJSON?.(json) ??
    ({
      ...json,
      challenge: fromBase64Url(json.challenge),
      allowCredentials: json.allowCredentials?.map(withBytes),
    } as PublicKeyCredentialRequestOptions)
  )
}

const withBytes = (descriptor: PublicKeyCredentialDescriptorJSON) => ({
  ...descriptor,
  id: fromBase64Url(descriptor.id),
})

function printable(credential: Credential | null): Printable {
  if (!credential) throw new DOMException('no passkey was given', 'NotAllowedError')
  const known = credential as PublicKeyCredential & Partial<Printable>
  return typeof known.toJSON === 'function' ? known : { toJSON: () => credentialJson(known) }
}

/** A credential as newer browsers print it. */
export function credentialJson(credential: PublicKeyCredential): object {
  const { id, rawId, type, authenticatorAttachment } = credential
  return {
    id,
    rawId: toBase64Url(rawId),
    type,
    authenticatorAttachment: authenticatorAttachment ?? undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: responseJson(credential.response),
  }
}

function responseJson(response: AuthenticatorResponse): object {
  const clientDataJSON = toBase64Url(response.clientDataJSON)
  if ('attestationObject' in response) {
    const made = response as AuthenticatorAttestationResponse
    return {
      clientDataJSON,
      attestationObject: toBase64Url(made.attestationObject),
      transports: made.getTransports?.() ?? [],
    }
  }
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse
  return {
    clientDataJSON,
    authenticatorData: toBase64Url(authenticatorData),
    signature: toBase64Url(signature),
    userHandle: userHandle ? toBase64Url(userHandle) : undefined,
  }
}

/** A message for a failure of the browser's passkey API; `undefined` for any other failure. */
export function passkeyProblem(failure: unknown): string | undefined {
  if (!(failure instanceof DOMException)) return undefined
  switch (failure.name) {
    case 'NotAllowedError':
    case 'AbortError':
      return text.canceledError
    case 'InvalidStateError':
      return text.alreadyThereError
    case 'SecurityError':
      return text.addressError
    default:
      return text.failedError(failure.message || failure.name)
  }
}
