import { HardDrive } from 'lucide-react'
import type { ComponentType } from 'react'
import { useController, useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import type { Disk } from '~/api/generated/types.gen'
import { formatBytes } from '~/lib/units'
import { attachableDisks } from '~/resource/disk-form'
import { takenDiskNames } from '~/resource/instance-form'
import type { BootSource, InstanceFormValues } from '~/resource/instance-form'
import { EmptyMessage } from '~/ui/empty-message'
import { ComboboxField } from '~/ui/form/combobox-field'
import { DiskSizeField } from '~/ui/form/disk-size-field'
import { NameField } from '~/ui/form/name-field'
import { Tabs } from '~/ui/tabs'

import { FormSection } from './-instance-form-section'

interface BootDiskFieldsProps {
  control: Control<InstanceFormValues>
  /** Every disk of the project. */
  disks: readonly Disk[]
}

/** The tabs in their order; each shows the fields of one kind of boot disk, and only those in sight are checked. */
const SOURCES: readonly {
  id: BootSource
  label: string
  Fields: ComponentType<BootDiskFieldsProps>
}[] = [
  { id: 'blank', label: 'New disk', Fields: NewDisk },
  { id: 'disk', label: 'Existing disks', Fields: ExistingDisk },
]

/** Which disk the instance starts from. */
export function BootDiskFields(props: BootDiskFieldsProps) {
  const { field } = useController({ control: props.control, name: 'bootSource' })
  return (
    <FormSection title="Boot disk" hint="The disk from which the instance starts.">
      <Tabs
        label="Boot disk"
        selected={field.value}
        onSelect={field.onChange}
        items={SOURCES.map(({ id, label, Fields }) => ({
          id,
          label,
          content: <Fields {...props} />,
        }))}
      />
    </FormSection>
  )
}

function NewDisk({ control, disks }: BootDiskFieldsProps) {
  const others = useWatch({ control, name: 'disks' })
  const taken = takenDiskNames(disks, { disks: others })
  return (
    <div className="space-y-4">
      <DiskSizeField name="bootDiskSize" control={control} help="The disk starts out blank." />
      <NameField
        name="bootDiskName"
        control={control}
        label="Disk name"
        required={false}
        help="A name is made up when this is left empty."
        validate={(name) => (taken.includes(name) ? 'Name is already in use' : undefined)}
      />
    </div>
  )
}

function ExistingDisk({ control, disks }: BootDiskFieldsProps) {
  const others = useWatch({ control, name: 'disks' })
  const choices = attachableDisks(
    disks,
    others.map(({ name }) => name),
  )
  if (choices.length === 0) {
    return (
      <div className="rounded-md border border-line">
        <EmptyMessage
          icon={<HardDrive />}
          title="No detached disks found"
          body="Only detached disks can be used as a boot disk"
        />
      </div>
    )
  }
  return (
    <ComboboxField
      name="bootDisk"
      control={control}
      label="Disk"
      required
      placeholder="Select a disk"
      help="Disks that are not attached to an instance."
      options={choices.map(({ name, size }) => ({
        value: name,
        label: name,
        detail: formatBytes(size),
      }))}
    />
  )
}
