import { useState } from 'react'
import { useController, useWatch } from 'react-hook-form'
import type { Control, UseFormSetValue } from 'react-hook-form'

import type { Disk } from '~/api/generated/types.gen'
import { truncate } from '~/lib/text'
import { GIB } from '~/lib/units'
import * as common from '~/messages/common'
import * as text from '~/messages/instance-form-screens'
import { takenDiskNames } from '~/resource/instance-form'
import type { AdditionalDisk, InstanceFormValues } from '~/resource/instance-form'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { ByteSize } from '~/ui/byte-size'
import { MiniTable } from '~/ui/form/mini-table'
import type { MiniTableColumn } from '~/ui/form/mini-table'
import { onDemand } from '~/ui/on-demand'

import { FormSection } from './-instance-form-section'

const DiskForm = onDemand(async () => (await import('~/resource/disk-create-form')).DiskForm)
const AttachDiskDialog = onDemand(
  async () => (await import('~/resource/disk-attach-dialog')).AttachDiskDialog,
)

/** Disks of one instance, its boot disk included. */
const DISKS_MAX = 8

interface DiskFieldsProps {
  project: string
  control: Control<InstanceFormValues>
  setValue: UseFormSetValue<InstanceFormValues>
  /** Every disk of the project. */
  disks: readonly Disk[]
}

const columns: readonly MiniTableColumn<AdditionalDisk>[] = [
  { header: common.nameLabel, cell: ({ name }) => truncate(name, 35) },
  {
    header: common.typeLabel,
    cell: ({ type }) => <Badge tone={type === 'create' ? 'accent' : 'neutral'}>{type}</Badge>,
  },
  { header: common.sizeLabel, cell: ({ size }) => <ByteSize bytes={size * GIB} /> },
]

const noDisks = text.noDisksText

/** Disks in addition to the boot disk. They are created and attached together with the instance. */
export function DiskFields({ project, control, setValue, disks }: DiskFieldsProps) {
  const { field } = useController({ control, name: 'disks' })
  const [bootSource, bootDiskName, bootDisk] = useWatch({
    control,
    name: ['bootSource', 'bootDiskName', 'bootDisk'],
  })
  const [dialog, setDialog] = useState<'create' | 'attach'>()
  const close = () => setDialog(undefined)
  const add = (disk: AdditionalDisk) => {
    field.onChange([...field.value, disk])
    // The disk was selected as boot disk on a tab that is now hidden. A disk is attached only once.
    if (disk.name === bootDisk) setValue('bootDisk', '')
    close()
  }

  const names = field.value.map(({ name }) => name)
  const shell = {
    onDismiss: close,
    onMissing: close,
    loading: false,
    submitError: null,
    // They are disks of the call that creates the instance.
    calls: null,
  }
  const isFull = field.value.length + 1 >= DISKS_MAX
  const refusal = isFull ? text.tooManyDisksError(DISKS_MAX) : undefined
  return (
    <FormSection title={text.additionalDisksTitle}>
      <MiniTable
        aria-label={text.disksLabel}
        columns={columns}
        items={field.value}
        rowKey={({ name }) => name}
        onRemove={(_, index) => field.onChange(field.value.toSpliced(index, 1))}
        removeLabel={({ name }) => text.removeDiskLabel(name)}
        emptyMessage={noDisks}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          needs={null}
          variant="secondary"
          size="sm"
          disabledReason={refusal}
          onPress={() => setDialog('create')}
        >
          {text.createDiskLabel}
        </Button>
        <Button
          needs={null}
          variant="secondary"
          size="sm"
          disabledReason={refusal}
          onPress={() => setDialog('attach')}
        >
          {text.attachDiskLabel}
        </Button>
      </div>
      {dialog === 'create' && (
        <DiskForm
          {...shell}
          project={project}
          takenNames={takenDiskNames(disks, { disks: field.value, bootSource, bootDiskName })}
          onSubmit={(values) => add({ type: 'create', ...values })}
        />
      )}
      {dialog === 'attach' && (
        <AttachDiskDialog
          {...shell}
          project={project}
          takenNames={bootSource === 'disk' ? [...names, bootDisk] : names}
          onSubmit={({ name, size }) => add({ type: 'attach', name, size: size / GIB })}
        />
      )}
    </FormSection>
  )
}
