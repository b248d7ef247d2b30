import type { CertificateCreate } from '~/api/generated/types.gen'

/** What a person enters to add a TLS certificate. */
export interface CertificateFormValues {
  name: string
  description: string
  cert: File | null
  key: File | null
}

/** A certificate before anything was entered. */
export const CERTIFICATE_FORM_DEFAULTS: CertificateFormValues = {
  name: '',
  description: '',
  cert: null,
  key: null,
}

/** Reads the chosen files; both are PEM, which is text. */
export async function certificateCreateBody({
  name,
  description,
  cert,
  key,
}: CertificateFormValues): Promise<CertificateCreate> {
  const [certText = '', keyText = ''] = await Promise.all([cert?.text(), key?.text()])
  return { name, description, service: 'external_api', cert: certText, key: keyText }
}
