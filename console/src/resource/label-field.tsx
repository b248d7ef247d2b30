import type { Control, FieldPath } from 'react-hook-form'

import { labelProblem } from '~/lib/label'
import * as common from '~/messages/common'
import { TextField } from '~/ui/form/text-field'

interface LabelFieldProps<V extends { name: string }> {
  control: Control<V>
  help?: string
}

/** A free-text name that a person gives to something of their own, with a length limit. */
export function LabelField<V extends { name: string }>({ control, help }: LabelFieldProps<V>) {
  return (
    <TextField
      name={'name' as FieldPath<V>}
      control={control}
      label={common.nameLabel}
      help={help}
      required
      validate={labelProblem}
    />
  )
}
