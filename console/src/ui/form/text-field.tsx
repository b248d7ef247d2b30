import { Input } from 'react-aria-components/Input'
import { TextArea } from 'react-aria-components/TextArea'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'

import { cn } from '~/ui/class-names'
import { CONTROL_CLASS } from '~/ui/control-class'
import { FieldFrame } from '~/ui/form/field-frame'
import { labelling, useField, type FieldProps, type FieldRules } from '~/ui/form/use-field'

/** Properties of {@link TextField}. */
export interface TextFieldProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<
  V,
  N
> {
  type?: 'text' | 'password' | 'email' | 'url'
  placeholder?: string
  /** Browsers are told not to fill the field unless this says what it is. */
  autoComplete?: string
  /** Changes what is typed before it becomes the value, for example to lower case. */
  transform?: (text: string) => string
  /** Identifiers, addresses and keys are set in the monospace font. */
  isCode?: boolean
  /** Which keys a phone offers. */
  inputMode?: 'numeric'
  /** Attributes for the input that only password managers read. */
  inputProps?: Record<`data-${string}`, string>
}

/** Line of text. The value is a string; a required one must hold more than white space. */
export function TextField<V extends FieldValues, N extends FieldPath<V>>(
  props: TextFieldProps<V, N>,
) {
  return <TextFieldWithRules {...props} rules={{ isEmpty: isBlank }} />
}

/** A text field whose kind brings rules of its own. */
export function TextFieldWithRules<V extends FieldValues, N extends FieldPath<V>>({
  rules,
  ...props
}: TextFieldProps<V, N> & { rules: FieldRules<FieldPathValue<V, N>, V> }) {
  const {
    required = false,
    help,
    disabled,
    type = 'text',
    placeholder,
    autoComplete = 'off',
    transform,
  } = props
  const connected = useField(props, rules)
  const { ref, name, value, onBlur, ids, label, error, change } = connected
  return (
    <FieldFrame {...{ ids, label, required, help, error }}>
      <Input
        {...props.inputProps}
        {...labelling(connected, help)}
        id={ids.control}
        ref={ref}
        name={name}
        type={type}
        value={textOf(value)}
        onChange={(event) => change(asValue(transform?.(event.target.value) ?? event.target.value))}
        onBlur={onBlur}
        disabled={disabled}
        placeholder={placeholder}
        autoComplete={autoComplete}
        inputMode={props.inputMode}
        spellCheck={false}
        autoCapitalize="off"
        aria-invalid={error ? true : undefined}
        aria-required={required || undefined}
        className={cn(CONTROL_CLASS, 'h-8', props.isCode && 'font-mono')}
      />
    </FieldFrame>
  )
}

/** Properties of {@link TextAreaField}. */
export interface TextAreaFieldProps<
  V extends FieldValues,
  N extends FieldPath<V>,
> extends FieldProps<V, N> {
  /** Height in lines of text. */
  rows?: number
  placeholder?: string
  isCode?: boolean
}

/** Several lines of text. The value is a string. */
export function TextAreaField<V extends FieldValues, N extends FieldPath<V>>(
  props: TextAreaFieldProps<V, N>,
) {
  return <TextAreaWithRules {...props} rules={{ isEmpty: isBlank }} />
}

/** A text area whose kind brings rules of its own. */
export function TextAreaWithRules<V extends FieldValues, N extends FieldPath<V>>({
  rules,
  ...props
}: TextAreaFieldProps<V, N> & { rules: FieldRules<FieldPathValue<V, N>, V> }) {
  const { required = false, help, disabled, rows = 3, placeholder, isCode } = props
  const connected = useField(props, rules)
  const { ref, name, value, onBlur, ids, label, error, change } = connected
  return (
    <FieldFrame {...{ ids, label, required, help, error }}>
      <TextArea
        {...labelling(connected, help)}
        id={ids.control}
        ref={ref}
        name={name}
        value={textOf(value)}
        onChange={(event) => change(asValue(event.target.value))}
        onBlur={onBlur}
        disabled={disabled}
        rows={rows}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-required={required || undefined}
        className={cn(CONTROL_CLASS, 'min-h-8 resize-y py-1.5', isCode && 'font-mono')}
      />
    </FieldFrame>
  )
}

function isBlank(value: unknown): boolean {
  return textOf(value).trim() === ''
}

/** A value of the form as text; a missing value is an empty text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The form's types cannot say that a field's path leads to a string, so this does. */
function asValue<Value>(text: string): Value {
  return text as Value
}
