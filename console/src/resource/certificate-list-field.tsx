import { useCallback, useState } from 'react'
import { useController } from 'react-hook-form'
import type { Control, FieldPathByValue, FieldValues } from 'react-hook-form'

import type { CertificateCreate } from '~/api/generated/types.gen'
import * as text from '~/messages/certificate'
import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import { MiniTable } from '~/ui/form/mini-table'
import { onDemand } from '~/ui/on-demand'

const CertificateDialog = onDemand(
  async () => (await import('./certificate-dialog')).CertificateDialog,
)

const columns = [{ header: common.nameLabel, cell: ({ name }: CertificateCreate) => name }]

interface CertificateListFieldProps<V extends FieldValues> {
  name: FieldPathByValue<V, CertificateCreate[]>
  control: Control<V>
}

/** A list of TLS certificates with their keys, which may be empty. */
export function CertificateListField<V extends FieldValues>({
  name,
  control,
}: CertificateListFieldProps<V>) {
  const { field } = useController({ name, control })
  const certificates = field.value as readonly CertificateCreate[]
  const [isAdding, setAdding] = useState(false)
  const close = useCallback(() => setAdding(false), [])
  return (
    <div className="flex flex-col gap-3">
      <MiniTable
        aria-label={text.listLabel}
        columns={columns}
        items={certificates}
        rowKey={(certificate) => certificate.name}
        onRemove={(removed) => field.onChange(certificates.filter((each) => each !== removed))}
        removeLabel={(certificate) => text.removeLabel(certificate.name)}
      />
      <div>
        <Button needs={null} variant="secondary" size="sm" onPress={() => setAdding(true)}>
          {text.addLabel}
        </Button>
      </div>
      {isAdding && (
        <CertificateDialog
          takenNames={certificates.map((certificate) => certificate.name)}
          onAdd={(added) =>
            field.onChange([...certificates.filter(({ name }) => name !== added.name), added])
          }
          onDismiss={close}
          onMissing={close}
        />
      )}
    </div>
  )
}
