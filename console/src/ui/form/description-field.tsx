import type { FieldPath, FieldValues } from 'react-hook-form'

import { validateDescription } from '~/lib/validate-name'
import * as common from '~/messages/common'
import { TextAreaWithRules, textOf, type TextAreaFieldProps } from '~/ui/form/text-field'

/** Description of a resource, at most 512 characters. The value is a string. */
export function DescriptionField<V extends FieldValues, N extends FieldPath<V>>(
  props: TextAreaFieldProps<V, N>,
) {
  return (
    <TextAreaWithRules
      {...props}
      label={props.label ?? common.descriptionLabel}
      rules={{
        isEmpty: (value) => textOf(value) === '',
        check: (value) => validateDescription(textOf(value)),
      }}
    />
  )
}
