import type { FieldPath, FieldValues } from 'react-hook-form'

import { MAX_DISK_SIZE_GIB } from '~/lib/units'
import * as text from '~/messages/forms'
import { NumberField, numberOf, type NumberFieldProps } from '~/ui/form/number-field'

/** Properties of {@link DiskSizeField}. */
export interface DiskSizeFieldProps<V extends FieldValues, N extends FieldPath<V>> extends Omit<
  NumberFieldProps<V, N>,
  'max' | 'unit' | 'step'
> {
  /** Message for a size below `min`, where something other than the platform asks for it. */
  tooSmall?: string
}

/** Size of a disk in whole GiB, from `min` to 1023. The value is a number, or `null` while the field is empty. */
export function DiskSizeField<V extends FieldValues, N extends FieldPath<V>>({
  min = 1,
  tooSmall = text.diskTooSmallError(min),
  validate,
  ...props
}: DiskSizeFieldProps<V, N>) {
  return (
    <NumberField
      {...props}
      label={props.label ?? text.diskSizeLabel}
      required={props.required ?? true}
      unit="GiB"
      min={min}
      max={MAX_DISK_SIZE_GIB}
      step={1}
      validate={(value, values) => {
        const size = numberOf(value)
        // The field corrects what is typed; a size set by the form itself, or a raised minimum, is caught here.
        if (size !== null && size < min) return tooSmall
        if (size !== null && size > MAX_DISK_SIZE_GIB) {
          return text.diskTooLargeError(MAX_DISK_SIZE_GIB)
        }
        return validate?.(value, values)
      }}
    />
  )
}
