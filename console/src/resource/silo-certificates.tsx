import type { Control } from 'react-hook-form'

import { CertificateListField } from './certificate-list-field'
import type { SiloFormValues } from './silo-form'

/** The TLS certificates of a new silo. */
export const SiloCertificates = ({ control }: { control: Control<SiloFormValues> }) => (
  <CertificateListField name="tlsCertificates" control={control} />
)
