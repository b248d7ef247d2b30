import { Images } from 'lucide-react'
import { useForm } from 'react-hook-form'

import type { Image } from '~/api/generated/types.gen'
import { existingCalls } from '~/as-code/existing-calls'
import { formatBytes } from '~/lib/units'
import * as common from '~/messages/common'
import * as text from '~/messages/image'
import { DateTime } from '~/ui/date-time'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextField } from '~/ui/form/text-field'
import { Link } from '~/ui/link'
import { PropertiesTable } from '~/ui/properties-table'

interface ImageViewFormProps {
  image: Image
  /** The path of the page of the image. */
  path: string
  onDismiss: () => void
}

/** The properties of an image of a silo or project. Images cannot be changed. */
export function ImageViewForm({ image, path, onDismiss }: ImageViewFormProps) {
  const { name, description, os, version } = image
  const form = useForm({ defaultValues: { name, description, os, version } })
  const { control } = form
  return (
    <SideModalForm
      needs={null}
      calls={existingCalls({ kind: 'image', id: image.id })}
      form={form}
      title={image.projectId ? text.projectImageTitle : text.siloImageTitle}
      subject={{ icon: Images, name: name }}
      onDismiss={onDismiss}
      loading={false}
      submitError={null}
    >
      <PropertiesTable>
        <PropertiesTable.Row label={text.sharedWithLabel}>
          {image.projectId ? text.sharedWithProjectLabel : text.sharedWithSiloLabel}
        </PropertiesTable.Row>
        <PropertiesTable.Id id={image.id} />
        <PropertiesTable.Row label={common.sizeLabel}>
          {formatBytes(image.size)}
        </PropertiesTable.Row>
        <PropertiesTable.Row label={common.createdLabel}>
          <DateTime value={image.timeCreated} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label={common.updatedLabel}>
          <DateTime value={image.timeModified} />
        </PropertiesTable.Row>
      </PropertiesTable>
      <Link
        href={path}
        className="inline-block self-start rounded-sm text-sm text-accent-text underline decoration-accent-border underline-offset-3 hover:decoration-current"
      >
        {text.openPageLabel}
      </Link>
      <NameField name="name" control={control} disabled />
      <DescriptionField name="description" control={control} required disabled />
      <TextField name="os" control={control} label={text.osLabel} required disabled />
      <TextField name="version" control={control} label={text.versionLabel} required disabled />
    </SideModalForm>
  )
}
