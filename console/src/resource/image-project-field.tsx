import { useQuery } from '@tanstack/react-query'
import type { Control, FieldPath } from 'react-hook-form'

import { currentUserProjectList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import * as text from '~/messages/image'
import { ComboboxField } from '~/ui/form/combobox-field'

interface ProjectValues {
  /** Name of the project; empty until one is selected. */
  project: string
}

interface ImageProjectFieldProps<V extends ProjectValues> {
  control: Control<V>
  placeholder: string
}

/** Selects one of the silo's projects. */
export function ImageProjectField<V extends ProjectValues>({
  control,
  placeholder,
}: ImageProjectFieldProps<V>) {
  const { data, isPending } = useQuery(q(currentUserProjectList, { query: { limit: allItems } }))
  return (
    <ComboboxField
      name={'project' as FieldPath<V>}
      control={control}
      label={text.projectLabel}
      required
      placeholder={placeholder}
      noOptions={text.noProjectsText}
      isLoading={isPending}
      options={(data?.items ?? []).map(({ name }) => ({ value: name, label: name }))}
    />
  )
}
