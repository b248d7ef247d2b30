import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'

import { DateRangeControl } from '~/ui/date-range-control'
import { FieldFrame } from '~/ui/form/field-frame'
import { labelling, useField, type FieldProps } from '~/ui/form/use-field'

/** A span of time in a form. The value is a {@link DateRange}. */
export function DateRangeField<V extends FieldValues, N extends FieldPath<V>>(
  props: FieldProps<V, N>,
) {
  const { required = true, help, disabled } = props
  const connected = useField(props, { isEmpty: () => false })
  const { value, ids, label, error, change } = connected
  return (
    <FieldFrame {...{ ids, label, required, help, error }} isLabelForControl={false}>
      <DateRangeControl
        aria-labelledby={labelling(connected, help)['aria-labelledby']}
        value={value}
        onChange={(range) => change(range as FieldPathValue<V, N>)}
        isDisabled={disabled}
      />
    </FieldFrame>
  )
}
