import { useState } from 'react'
import { useForm } from 'react-hook-form'

import type { CertificateCreate } from '~/api/generated/types.gen'
import * as text from '~/messages/certificate'
import { DescriptionField } from '~/ui/form/description-field'
import { FileField } from '~/ui/form/file-field'
import type { SubmitError } from '~/ui/form/form-shell'
import { ModalForm } from '~/ui/form/modal-form'
import { NameField } from '~/ui/form/name-field'

import { CERTIFICATE_FORM_DEFAULTS, certificateCreateBody } from './certificate-form'
import type { CertificateFormValues } from './certificate-form'

interface CertificateDialogProps {
  /** Names that are already in the list. */
  takenNames: readonly string[]
  onAdd: (certificate: CertificateCreate) => void
  onDismiss: () => void
}

/** Asks for a certificate and its key. Nothing is sent: the certificate is added to the form that opened the dialog. */
export function CertificateDialog({ takenNames, onAdd, onDismiss }: CertificateDialogProps) {
  const form = useForm<CertificateFormValues>({ defaultValues: CERTIFICATE_FORM_DEFAULTS })
  const { control } = form
  const [failure, setFailure] = useState<SubmitError | null>(null)
  const add = async (values: CertificateFormValues) => {
    setFailure(null)
    try {
      onAdd(await certificateCreateBody(values))
      onDismiss()
    } catch {
      setFailure({ message: text.fileReadError })
    }
  }
  return (
    <ModalForm
      needs={null}
      calls={null}
      draftOf="certificate"
      form={form}
      title={text.addTitle}
      submitLabel={text.submitLabel}
      onSubmit={add}
      onDismiss={onDismiss}
      loading={false}
      submitError={failure}
    >
      <NameField
        name="name"
        control={control}
        validate={(name) => (takenNames.includes(name) ? text.nameTakenError : undefined)}
      />
      <DescriptionField name="description" control={control} />
      <FileField name="cert" control={control} required help={text.certificateHelp} />
      <FileField name="key" control={control} required help={text.keyHelp} />
    </ModalForm>
  )
}
