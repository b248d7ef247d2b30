import { useEffect, useId } from 'react'
import {
  useController,
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type RefCallBack,
} from 'react-hook-form'

import { capitalise } from '~/lib/text'
import * as text from '~/messages/validation'
import { markSecret } from '~/ui/form/secret-fields'

/** What every field of a form takes. */
export interface FieldProps<V extends FieldValues, N extends FieldPath<V> = FieldPath<V>> {
  name: N
  control: Control<V>
  /** Label of the field, also used in messages; the capitalised name by default. */
  label?: string
  /** Whether an empty value is an error. A field that is not required says "(Optional)". */
  required?: boolean
  /** Explanation under the label. It is part of the accessible name. */
  help?: React.ReactNode
  /** Shown but not changeable. A disabled field is never wrong. */
  disabled?: boolean
  /** @returns the message for a value that passed the field's own rules, but not this one. */
  validate?: (value: FieldPathValue<V, N>, values: V) => string | undefined
  /** Called after the person changed the value, for what depends on it. */
  onChange?: (value: FieldPathValue<V, N>) => void
  /** The value is never written down: the draft of the form is without it. */
  isSecret?: boolean
}

/** Rules that belong to a kind of field. */
export interface FieldRules<Value, V> {
  isEmpty: (value: Value) => boolean
  /** @returns the message for a value that breaks a rule of this kind of field; empty ones are not asked. */
  check?: (value: Value, values: V) => string | undefined
  /** The check covers the empty value, too. */
  checksEmpty?: boolean
}

/** Ids that tie a control to its label, help and message. */
export interface FieldIds {
  control: string
  label: string
  help: string
  error: string
}

/** A field of a form, connected. */
export interface ConnectedField<V extends FieldValues, N extends FieldPath<V>> {
  /** Receives the control, or whatever the form may focus in its place. */
  ref: RefCallBack
  name: N
  value: FieldPathValue<V, N>
  onBlur: () => void
  label: string
  ids: FieldIds
  /** Message of the rule that the value breaks, once that is to be shown. */
  error: string | undefined
  /** Sets the value as the person does. */
  change: (value: FieldPathValue<V, N>) => void
}

/**
 * Connects a field: its value, its message, and its ids. Rules run when the form is submitted and, after that, on
 * every change; the first wrong field takes the focus.
 */
export function useField<V extends FieldValues, N extends FieldPath<V>>(
  props: FieldProps<V, N>,
  rules: FieldRules<FieldPathValue<V, N>, V>,
): ConnectedField<V, N> {
  const { name, control, required = false, disabled = false, validate, onChange, isSecret } = props
  useEffect(() => {
    if (isSecret) markSecret(control, name)
  }, [isSecret, control, name])
  const label = props.label ?? defaultLabel(name)
  const message = (value: FieldPathValue<V, N>, values: V): string | undefined => {
    if (disabled) return undefined
    const isEmpty = rules.isEmpty(value)
    if (rules.checksEmpty || !isEmpty) {
      const problem = rules.check?.(value, values)
      if (problem) return problem
    }
    if (isEmpty && required) return text.requiredError(label)
    return validate?.(value, values)
  }
  const { field, fieldState } = useController({
    name,
    control,
    rules: {
      validate: (value: unknown, values: V) => message(value as FieldPathValue<V, N>, values),
    },
  })
  const id = useId()
  return {
    ref: field.ref,
    name,
    value: field.value,
    onBlur: field.onBlur,
    label,
    ids: { control: id, label: `${id}-label`, help: `${id}-help`, error: `${id}-error` },
    error: fieldState.error?.message,
    change: (value) => {
      field.onChange(value)
      onChange?.(value)
    },
  }
}

/** Attributes that name a control after its label and help and point to its message. */
export function labelling(
  { ids, error }: Pick<ConnectedField<FieldValues, string>, 'ids' | 'error'>,
  help: React.ReactNode,
) {
  return {
    'aria-labelledby': help ? `${ids.label} ${ids.help}` : ids.label,
    'aria-describedby': error ? ids.error : undefined,
  }
}

/** The last part of the path, capitalised: `disks.0.name` is "Name". */
function defaultLabel(name: string): string {
  return capitalise(name.slice(name.lastIndexOf('.') + 1))
}
