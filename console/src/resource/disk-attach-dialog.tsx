import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'

import { diskList, instanceDiskAttach } from '~/api/generated/operations'
import type { Disk } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import type { FormCalls } from '~/as-code/call'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/disk'
import { ComboboxField } from '~/ui/form/combobox-field'
import type { SubmitError } from '~/ui/form/form-shell'
import { ModalForm } from '~/ui/form/modal-form'

interface AttachDiskDialogProps {
  project: string
  /** Names of disks that are selected already and not offered again. */
  takenNames?: readonly string[]
  onSubmit: (disk: Disk) => void
  /** The calls that the caller makes; `null` if it makes none before another form is submitted. */
  calls: FormCalls<{ name: string }> | null
  onDismiss: () => void
  loading: boolean
  submitError: SubmitError | null
}

const noDisks: Disk[] = []

/** Dialog that asks for one of the project's detached disks; the caller attaches it. */
export function AttachDiskDialog({
  project,
  takenNames = [],
  onSubmit,
  ...shell
}: AttachDiskDialogProps) {
  const form = useForm({ defaultValues: { name: '' } })
  const { data, isPending } = useQuery(q(diskList, { query: { project, limit: allItems } }))
  const disks = (data?.items ?? noDisks).filter(
    ({ name, state }) => state.state === 'detached' && !takenNames.includes(name),
  )
  return (
    <ModalForm
      needs={instanceDiskAttach}
      {...shell}
      form={form}
      title={text.attachTitle}
      submitLabel={text.attachLabel}
      onSubmit={({ name }) => {
        const disk = disks.find((each) => each.name === name)
        if (disk) onSubmit(disk)
      }}
    >
      <ComboboxField
        name="name"
        control={form.control}
        label={text.nameLabel}
        required
        placeholder={text.diskPlaceholder}
        noOptions={text.noDetachedDisksText}
        isLoading={isPending}
        options={disks.map(({ name, size }) => ({
          value: name,
          label: name,
          detail: formatBytes(size),
        }))}
      />
    </ModalForm>
  )
}
