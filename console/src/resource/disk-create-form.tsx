import { useForm } from 'react-hook-form'

import { DescriptionField } from '~/ui/form/description-field'
import { DiskSizeField } from '~/ui/form/disk-size-field'
import type { SubmitError } from '~/ui/form/form-shell'
import { NameField } from '~/ui/form/name-field'
import { RadioField } from '~/ui/form/radio-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

import { BLOCK_SIZES, DISK_FORM_DEFAULTS } from './disk-form'
import type { DiskFormValues } from './disk-form'

const blockSizes = BLOCK_SIZES.map((size) => ({ value: `${size}`, label: size }))

interface DiskFormProps {
  /** Names that the disk may not have because other disks of the same form have them. */
  takenNames?: readonly string[]
  onSubmit: (values: DiskFormValues) => void
  onDismiss: () => void
  loading: boolean
  submitError: SubmitError | null
}

/** Drawer that asks for a new disk; the caller makes it. */
export function DiskForm({ takenNames = [], ...shell }: DiskFormProps) {
  const form = useForm<DiskFormValues>({ defaultValues: DISK_FORM_DEFAULTS })
  const { control } = form
  return (
    <SideModalForm {...shell} form={form} formType="create" resource="disk">
      <NameField
        name="name"
        control={control}
        validate={(name) => (takenNames.includes(name) ? 'Name is already in use' : undefined)}
      />
      <DescriptionField name="description" control={control} />
      <RadioField
        name="blockSize"
        control={control}
        label="Block size (Bytes)"
        orientation="horizontal"
        options={blockSizes}
      />
      <DiskSizeField name="size" control={control} label="Size" />
    </SideModalForm>
  )
}
