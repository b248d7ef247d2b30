import { useForm, useWatch } from 'react-hook-form'

import { diskCreate } from '~/api/generated/operations'
import type { FormCalls } from '~/as-code/call'
import * as text from '~/messages/disk'
import { DescriptionField } from '~/ui/form/description-field'
import { DiskSizeField } from '~/ui/form/disk-size-field'
import type { SubmitError } from '~/ui/form/form-shell'
import { NameField } from '~/ui/form/name-field'
import { RadioField } from '~/ui/form/radio-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'

import {
  BLOCK_SIZE_OPTIONS,
  DISK_FORM_DEFAULTS,
  diskFormDefaults,
  sizeForSource,
  sourceSizeRefusal,
} from './disk-form'
import type { DiskFormValues, KnownSource } from './disk-form'

interface DiskFormProps {
  /** Name of the disk's project. */
  project: string
  /** What is selected as its source at first. */
  source?: KnownSource
  /** Also offers a disk for an import, which no instance can use before the import is finished. */
  isForImport?: boolean
  /** Names of other disks in the same form, which cannot be used again. */
  takenNames?: readonly string[]
  onSubmit: (values: DiskFormValues) => void
  /** The calls that the caller makes; `null` if it makes none before another form is submitted. */
  calls: FormCalls<DiskFormValues> | null
  onDismiss: () => void
  loading: boolean
  submitError: SubmitError | null
}

const DiskSummary = onDemand(async () => (await import('./disk-summary')).DiskSummary)

/** Loaded on demand, because most new disks are blank. */
const DiskSourceField = onDemand(async () => (await import('./disk-source-field')).DiskSourceField)

const sources = [
  { value: 'blank', label: text.blankLabel },
  { value: 'snapshot', label: text.snapshotLabel },
  { value: 'image', label: text.imageLabel },
]

const sourcesWithImport = [...sources, { value: 'import', label: text.importLabel }]

/** Drawer that asks for a new disk. The caller creates it. */
export function DiskForm({
  project,
  source: initial,
  isForImport = false,
  takenNames = [],
  calls,
  ...shell
}: DiskFormProps) {
  const form = useForm<DiskFormValues>({
    defaultValues: initial ? diskFormDefaults(initial) : DISK_FORM_DEFAULTS,
  })
  const { control, getValues, setValue, resetField } = form
  const { source } = useWatch({ control })

  /** A larger source raises the size. A smaller one does not lower it. */
  const fitSize = (sourceSize: number) => {
    setValue('sourceSize', sourceSize)
    const current = getValues('size')
    const size = sizeForSource(current, sourceSize)
    if (size !== current) setValue('size', size, { shouldDirty: true, shouldValidate: true })
  }
  const forgetSource = () => {
    resetField('snapshotId', { defaultValue: '' })
    resetField('imageId', { defaultValue: '' })
    resetField('sourceSize', { defaultValue: 0 })
    resetField('blockSize')
  }

  return (
    <SideModalForm {...shell} needs={diskCreate} form={form} title={text.createTitle} calls={calls}>
      <NameField
        name="name"
        control={control}
        validate={(name) => (takenNames.includes(name) ? text.nameTakenError : undefined)}
      />
      <DescriptionField name="description" control={control} />
      <RadioField
        name="source"
        control={control}
        label={text.sourceLabel}
        orientation="horizontal"
        options={isForImport ? sourcesWithImport : sources}
        onChange={forgetSource}
      />
      {(source === 'blank' || source === 'import') && (
        <RadioField
          name="blockSize"
          control={control}
          label={text.blockSizeLabel}
          orientation="horizontal"
          options={BLOCK_SIZE_OPTIONS}
        />
      )}
      {(source === 'snapshot' || source === 'image') && (
        <DiskSourceField
          key={source}
          kind={source}
          project={project}
          control={control}
          onChoose={fitSize}
          onMissing={() => setValue('source', 'blank')}
        />
      )}
      <DiskSizeField
        name="size"
        control={control}
        label={text.sizeLabel}
        validate={(size, { source, sourceSize }) =>
          source === 'snapshot' || source === 'image'
            ? sourceSizeRefusal(Number(size), sourceSize, source)
            : undefined
        }
      />
      {source === 'import' && <Message>{text.importHelp}</Message>}
      {/* What is made later is a part of the summary of the form that makes it. */}
      {calls && <DiskSummary project={project} control={control} />}
    </SideModalForm>
  )
}
