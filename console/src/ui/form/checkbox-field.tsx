import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'

import * as common from '~/messages/common'
import { FieldFrame, FieldMessage } from '~/ui/form/field-frame'
import { labelling, useField, type FieldProps } from '~/ui/form/use-field'

/** Properties of {@link Checkbox}. */
export interface CheckboxProps {
  isSelected: boolean
  onChange: (isSelected: boolean) => void
  /** Some, but not all, of the options are checked. */
  isIndeterminate?: boolean
  isDisabled?: boolean
  isInvalid?: boolean
  'aria-describedby'?: string
  onBlur?: () => void
  inputRef?: (element: HTMLInputElement | null) => void
  children: ReactNode
}

/** A box to check, named by the text beside it. */
export function Checkbox({ children, inputRef, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...props}
      ref={(label) => inputRef?.(label?.querySelector('input') ?? null)}
      validationBehavior="aria"
      className="group flex cursor-default items-start gap-2 text-sm text-fg outline-none data-disabled:text-fg-disabled"
    >
      {({ isSelected, isIndeterminate }) => (
        <>
          <span
            aria-hidden="true"
            className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border border-line-control bg-field group-data-disabled:border-line-strong group-data-disabled:bg-sunken group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-1 group-data-focus-visible:outline-focus group-data-indeterminate:border-accent-solid group-data-indeterminate:bg-accent-solid group-data-invalid:border-danger-solid group-data-selected:border-accent-solid group-data-selected:bg-accent-solid"
          >
            {isIndeterminate ? (
              <Minus className="size-3 text-accent-on" strokeWidth={3} />
            ) : (
              isSelected && <Check className="size-3 text-accent-on" strokeWidth={3} />
            )}
          </span>
          <span className="min-w-0">{children}</span>
        </>
      )}
    </AriaCheckbox>
  )
}

/** Properties of {@link CheckboxField}. */
export interface CheckboxFieldProps<V extends FieldValues, N extends FieldPath<V>> extends Omit<
  FieldProps<V, N>,
  'help'
> {
  /** The text beside the box; the label unless given. */
  children?: ReactNode
}

/** Yes or no. The value is a boolean; a required one must be checked. */
export function CheckboxField<V extends FieldValues, N extends FieldPath<V>>(
  props: CheckboxFieldProps<V, N>,
) {
  const { ref, value, onBlur, ids, label, error, change } = useField(props, {
    isEmpty: (value) => !value,
  })
  return (
    <div className="flex flex-col gap-1">
      <Checkbox
        inputRef={ref}
        isSelected={Boolean(value)}
        onChange={(isSelected) => change(isSelected as FieldPathValue<V, N>)}
        onBlur={onBlur}
        isDisabled={props.disabled}
        isInvalid={error !== undefined}
        aria-describedby={error ? ids.error : undefined}
      >
        {props.children ?? label}
      </Checkbox>
      <FieldMessage id={ids.error} message={error} />
    </div>
  )
}

/** One box of a {@link CheckboxGroupField}. */
export interface CheckboxOption {
  value: string
  label: ReactNode
  isDisabled?: boolean
}

/** Properties of {@link CheckboxGroupField}. */
export interface CheckboxGroupFieldProps<
  V extends FieldValues,
  N extends FieldPath<V>,
> extends FieldProps<V, N> {
  options: readonly CheckboxOption[]
  /** Text of the box that checks all; `null` leaves it out. */
  selectAll?: string | null
}

/** Any number of options. The value is an array of the checked options' values, in the options' order. */
export function CheckboxGroupField<V extends FieldValues, N extends FieldPath<V>>(
  props: CheckboxGroupFieldProps<V, N>,
) {
  const { options, selectAll = common.selectAllLabel, required = false, help, disabled } = props
  const connected = useField(props, { isEmpty: (value) => valuesOf(value).length === 0 })
  const { ref, value, onBlur, ids, label, error, change } = connected
  const chosen = new Set(valuesOf(value))
  const changeable = options.filter((option) => !option.isDisabled)
  const isAll = changeable.length > 0 && changeable.every((option) => chosen.has(option.value))
  const choose = (some: readonly CheckboxOption[], isSelected: boolean): void => {
    const next = new Set(chosen)
    for (const option of some) {
      if (isSelected) next.add(option.value)
      else next.delete(option.value)
    }
    const values = options.map((option) => option.value).filter((value) => next.has(value))
    change(values as FieldPathValue<V, N>)
  }
  return (
    <FieldFrame {...{ ids, label, required, help, error }} isLabelForControl={false}>
      <div
        {...labelling(connected, help)}
        role="group"
        ref={(group) => ref(group && { focus: () => group.querySelector('input')?.focus() })}
        className="flex flex-col gap-2"
      >
        {options.map((option) => (
          <Checkbox
            key={option.value}
            isSelected={chosen.has(option.value)}
            isDisabled={disabled || option.isDisabled}
            isInvalid={error !== undefined}
            onChange={(isSelected) => choose([option], isSelected)}
            onBlur={onBlur}
          >
            {option.label}
          </Checkbox>
        ))}
        {selectAll !== null && options.length > 0 && (
          <div className="mt-1 border-t border-line pt-3">
            <Checkbox
              isSelected={isAll}
              isIndeterminate={!isAll && changeable.some((option) => chosen.has(option.value))}
              isDisabled={disabled}
              onChange={() => choose(changeable, !isAll)}
            >
              {selectAll}
            </Checkbox>
          </div>
        )}
      </div>
    </FieldFrame>
  )
}

function valuesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
