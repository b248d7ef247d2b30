import type { CertificateCreate } from '~/api/generated/types.gen'

/** The values of the form for a TLS certificate. */
export interface CertificateFormValues {
  name: string
  description: string
  cert: File | null
  key: File | null
}

/** The initial values of the form. */
export const CERTIFICATE_FORM_DEFAULTS: CertificateFormValues = {
  name: '',
  description: '',
  cert: null,
  key: null,
}

/** Reads the selected files. Both are PEM, which is text. */
export async function certificateCreateBody({
  name,
  description,
  cert,
  key,
}: CertificateFormValues): Promise<CertificateCreate> {
  const [certText = '', keyText = ''] = await Promise.all([cert?.text(), key?.text()])
  return { name, description, service: 'external_api', cert: certText, key: keyText }
}
