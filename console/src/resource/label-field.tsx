import type { Control, FieldPath } from 'react-hook-form'

import { labelProblem } from '~/lib/label'
import * as common from '~/messages/common'
import { TextField } from '~/ui/form/text-field'

interface LabelFieldProps<V extends { name: string }> {
  control: Control<V>
  help?: string
}

/** What somebody calls a thing of their own: any text that is not too long. */
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
