import type { Control } from 'react-hook-form'

import type { ProjectCreate } from '~/api/generated/types.gen'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'

/** The fields of a project, for creating and editing. */
export function ProjectFields({ control }: { control: Control<ProjectCreate> }) {
  return (
    <>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
    </>
  )
}
