import { HardDrive, Image as ImageIcon } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { useController, useFormState, useWatch } from 'react-hook-form'
import type { Control, UseFormGetValues, UseFormSetValue } from 'react-hook-form'

import { imageCreate } from '~/api/generated/operations'
import type { Disk, Image } from '~/api/generated/types.gen'
import { ButtonLink } from '~/app/button-link'
import { formatBytes, GIB } from '~/lib/units'
import * as text from '~/messages/instance-form-screens'
import { attachableDisks } from '~/resource/disk-form'
import {
  bootDiskSizeFor,
  chosenImage,
  IMAGE_FIELDS,
  takenDiskNames,
} from '~/resource/instance-form'
import type { BootSource, InstanceFormValues } from '~/resource/instance-form'
import { EmptyMessage } from '~/ui/empty-message'
import { ComboboxField } from '~/ui/form/combobox-field'
import { DiskSizeField } from '~/ui/form/disk-size-field'
import { NameField } from '~/ui/form/name-field'
import { Message } from '~/ui/message'
import { Tabs } from '~/ui/tabs'

import { FormSection } from './-instance-form-section'

interface BootDiskFieldsProps {
  project: string
  control: Control<InstanceFormValues>
  setValue: UseFormSetValue<InstanceFormValues>
  getValues: UseFormGetValues<InstanceFormValues>
  /** Every disk of the project. */
  disks: readonly Disk[]
  siloImages: readonly Image[]
  projectImages: readonly Image[]
}

/** The tabs in their order. Each has the fields of one kind of boot disk; only the fields of the selected tab are validated. */
const SOURCES: readonly {
  id: BootSource
  label: string
  Fields: ComponentType<BootDiskFieldsProps>
}[] = [
  { id: 'silo-image', label: text.siloImagesLabel, Fields: SiloImage },
  { id: 'project-image', label: text.projectImagesLabel, Fields: ProjectImage },
  { id: 'disk', label: text.existingDisksLabel, Fields: ExistingDisk },
  { id: 'blank', label: text.newDiskLabel, Fields: NewDisk },
]

/** Selects the disk that the instance starts from. */
export function BootDiskFields(props: BootDiskFieldsProps) {
  const { disks, siloImages, projectImages, getValues, setValue } = props
  const { field } = useController({ control: props.control, name: 'bootSource' })
  const images = [...siloImages, ...projectImages]
  const open = (bootSource: BootSource) => {
    field.onChange(bootSource)
    const { bootDiskSize, ...values } = getValues()
    const image = chosenImage({ ...values, bootSource }, images)
    setValue('bootDiskSize', bootDiskSizeFor(image, bootDiskSize))
  }
  return (
    <FormSection title={text.bootDiskTitle} hint={text.bootDiskHelp}>
      {images.length === 0 && attachableDisks(disks).length === 0 && (
        <Message tone="notice" className="max-w-lg">
          {text.nothingToStartFromText}
        </Message>
      )}
      <Tabs
        label={text.bootDiskLabel}
        selected={field.value}
        onSelect={(id) => open(id as BootSource)}
        items={SOURCES.map(({ id, label, Fields }) => ({
          id,
          label,
          content: <Fields {...props} />,
        }))}
      />
    </FormSection>
  )
}

function SiloImage(props: BootDiskFieldsProps) {
  return (
    <FromImage
      {...props}
      source="silo-image"
      images={props.siloImages}
      placeholder={text.siloImagePlaceholder}
      empty={
        <EmptyMessage
          icon={<ImageIcon />}
          title={text.noSiloImagesTitle}
          body={text.noSiloImagesHelp}
        />
      }
    />
  )
}

function ProjectImage(props: BootDiskFieldsProps) {
  return (
    <FromImage
      {...props}
      source="project-image"
      images={props.projectImages}
      placeholder={text.projectImagePlaceholder}
      empty={
        <EmptyMessage
          icon={<ImageIcon />}
          title={text.noProjectImagesTitle}
          body={text.noProjectImagesHelp}
          action={
            <ButtonLink needs={imageCreate} to={`/projects/${props.project}/images-new`} size="sm">
              {text.uploadImageLabel}
            </ButtonLink>
          }
        />
      }
    />
  )
}

interface FromImageProps extends BootDiskFieldsProps {
  source: keyof typeof IMAGE_FIELDS
  images: readonly Image[]
  placeholder: string
  /** Shown instead of the fields if there are no images. */
  empty: ReactNode
}

function FromImage({ source, images, placeholder, empty, ...props }: FromImageProps) {
  const { control, getValues, setValue } = props
  const name = IMAGE_FIELDS[source]
  const chosen = useWatch({ control, name })
  const { isSubmitted } = useFormState({ control })
  const image = images.find(({ id }) => id === chosen)
  if (images.length === 0) return <EmptyTab>{empty}</EmptyTab>
  const makeRoom = (id: string) => {
    const next = images.find((each) => each.id === id)
    setValue('bootDiskSize', bootDiskSizeFor(next, getValues('bootDiskSize')), {
      shouldValidate: isSubmitted,
    })
  }
  return (
    <div className="space-y-4">
      <ComboboxField
        name={name}
        control={control}
        label={text.imageLabel}
        required
        placeholder={placeholder}
        onChange={makeRoom}
        options={images.map(({ id, name: label, os, version, size }) => ({
          value: id,
          label,
          detail: `${os} / ${version} / ${(size / GIB).toFixed(1)} GiB`,
        }))}
      />
      <NewDiskFields {...props} minimum={image && Math.ceil(image.size / GIB)} />
    </div>
  )
}

function NewDisk(props: BootDiskFieldsProps) {
  return (
    <div className="space-y-4">
      <NewDiskFields {...props} help={text.blankDiskHelp} />
    </div>
  )
}

/** Size and name of a disk that is created for the instance. The tabs that create one share them. */
function NewDiskFields({
  control,
  disks,
  minimum,
  help,
}: Pick<BootDiskFieldsProps, 'control' | 'disks'> & {
  /** Size of the selected image in GiB. */
  minimum?: number
  help?: string
}) {
  const others = useWatch({ control, name: 'disks' })
  const taken = takenDiskNames(disks, { disks: others })
  return (
    <>
      <DiskSizeField
        name="bootDiskSize"
        control={control}
        help={help}
        min={minimum}
        tooSmall={minimum === undefined ? undefined : text.diskTooSmallError(minimum)}
      />
      <NameField
        name="bootDiskName"
        control={control}
        label={text.diskNameLabel}
        required={false}
        help={text.diskNameHelp}
        validate={(name) => (taken.includes(name) ? text.diskNameTakenError : undefined)}
      />
    </>
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
      <EmptyTab>
        <EmptyMessage
          icon={<HardDrive />}
          title={text.noDetachedDisksTitle}
          body={text.noDetachedDisksHelp}
        />
      </EmptyTab>
    )
  }
  return (
    <ComboboxField
      name="bootDisk"
      control={control}
      label={text.diskLabel}
      required
      placeholder={text.diskPlaceholder}
      help={text.diskHelp}
      options={choices.map(({ name, size }) => ({
        value: name,
        label: name,
        detail: formatBytes(size),
      }))}
    />
  )
}

const EmptyTab = ({ children }: { children: ReactNode }) => (
  <div className="max-w-lg rounded-md border border-line">{children}</div>
)
