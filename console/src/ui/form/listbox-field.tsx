import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'

import { FieldFrame } from '~/ui/form/field-frame'
import { textOf } from '~/ui/form/text-field'
import { labelling, useField, type FieldProps } from '~/ui/form/use-field'
import { Listbox, type ListboxProps } from '~/ui/listbox'

/** Properties of {@link ListboxField}. */
export interface ListboxFieldProps<V extends FieldValues, N extends FieldPath<V>>
  extends
    FieldProps<V, N>,
    Pick<ListboxProps, 'options' | 'placeholder' | 'noOptions' | 'isLoading'> {}

/** One of a few options. The value is the option's, a string; empty when none is chosen. */
export function ListboxField<V extends FieldValues, N extends FieldPath<V>>(
  props: ListboxFieldProps<V, N>,
) {
  const { options, placeholder, noOptions, isLoading, required = false, help, disabled } = props
  const connected = useField(props, { isEmpty: (value) => textOf(value) === '' })
  const { ref, value, onBlur, ids, label, error, change } = connected
  return (
    <FieldFrame {...{ ids, label, required, help, error }}>
      <Listbox
        {...labelling(connected, help)}
        {...{ options, placeholder, noOptions, isLoading }}
        id={ids.control}
        value={textOf(value)}
        onChange={(value) => change(value as FieldPathValue<V, N>)}
        onBlur={onBlur}
        buttonRef={ref}
        isDisabled={disabled}
        isInvalid={error !== undefined}
        isRequired={required}
      />
    </FieldFrame>
  )
}
