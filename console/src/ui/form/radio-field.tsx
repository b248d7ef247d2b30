import type { ReactNode } from 'react'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'

import { cn } from '~/ui/class-names'
import { FieldFrame } from '~/ui/form/field-frame'
import { textOf } from '~/ui/form/text-field'
import { labelling, useField, type FieldProps } from '~/ui/form/use-field'

/** One choice of a radio group. */
export interface RadioOption {
  value: string
  label: ReactNode
  /** Under the label, dimmer. */
  detail?: ReactNode
  isDisabled?: boolean
}

/** Properties of {@link RadioField} and {@link RadioCards}. */
export interface RadioFieldProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<
  V,
  N
> {
  options: readonly RadioOption[]
  orientation?: 'vertical' | 'horizontal'
  /** For the frame: cards in one row need more width than a field of text. */
  className?: string
}

/** One of a few options, all in sight. The value is the option's, a string. */
export function RadioField<V extends FieldValues, N extends FieldPath<V>>(
  props: RadioFieldProps<V, N>,
) {
  return (
    <RadioBase
      {...props}
      groupClass={
        props.orientation === 'horizontal'
          ? 'flex flex-wrap gap-x-6 gap-y-2'
          : 'flex flex-col gap-2'
      }
      renderOption={(option) => (
        <Radio
          key={option.value}
          value={option.value}
          isDisabled={option.isDisabled}
          className="group flex cursor-default items-start gap-2 text-sm text-fg outline-none data-disabled:text-fg-disabled"
        >
          <RadioMark />
          <OptionText option={option} />
        </Radio>
      )}
    />
  )
}

/** One of a few options as cards, for choices with something to tell. The value is the option's, a string. */
export function RadioCards<V extends FieldValues, N extends FieldPath<V>>(
  props: RadioFieldProps<V, N>,
) {
  return (
    <RadioBase
      {...props}
      groupClass="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-2"
      renderOption={(option) => (
        <Radio
          key={option.value}
          value={option.value}
          isDisabled={option.isDisabled}
          className="group flex cursor-default items-start gap-2 rounded-md border border-line-strong px-3 py-2.5 text-sm text-fg data-disabled:text-fg-disabled data-focus-visible:outline-2 data-focus-visible:outline-offset-1 data-focus-visible:outline-focus data-hovered:border-line-control data-selected:border-accent-solid data-selected:bg-accent-bg"
        >
          <RadioMark />
          <OptionText option={option} />
        </Radio>
      )}
    />
  )
}

interface RadioBaseProps<V extends FieldValues, N extends FieldPath<V>> extends RadioFieldProps<
  V,
  N
> {
  groupClass: string
  renderOption: (option: RadioOption) => ReactNode
}

function RadioBase<V extends FieldValues, N extends FieldPath<V>>(props: RadioBaseProps<V, N>) {
  const {
    options,
    orientation = 'vertical',
    required = true,
    help,
    disabled,
    groupClass,
    renderOption,
  } = props
  const connected = useField({ ...props, required }, { isEmpty: (value) => textOf(value) === '' })
  const { ref, value, onBlur, ids, label, error, change } = connected
  return (
    <FieldFrame
      {...{ ids, label, required, help, error }}
      isLabelForControl={false}
      className={props.className}
    >
      <RadioGroup
        {...labelling(connected, help)}
        // The group itself cannot be focused; focus the radio button that Tab would focus.
        ref={(group) => ref(group && { focus: () => tabStopIn(group)?.focus() })}
        value={textOf(value)}
        onChange={(value) => change(value as FieldPathValue<V, N>)}
        onBlur={onBlur}
        orientation={orientation}
        isDisabled={disabled}
        isInvalid={error !== undefined}
        validationBehavior="aria"
        className={groupClass}
      >
        {options.map(renderOption)}
      </RadioGroup>
    </FieldFrame>
  )
}

function tabStopIn(group: HTMLElement): HTMLInputElement | null {
  return (
    group.querySelector<HTMLInputElement>('input[type=radio]:checked') ??
    group.querySelector<HTMLInputElement>('input[type=radio]:enabled')
  )
}

function RadioMark() {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'mt-0.5 size-4 shrink-0 rounded-full border border-line-control bg-field group-data-selected:border-[5px] group-data-selected:border-accent-solid',
        'group-data-disabled:border-line-strong group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-1 group-data-focus-visible:outline-focus group-data-invalid:border-danger-solid',
      )}
    />
  )
}

function OptionText({ option }: { option: RadioOption }) {
  return (
    <span className="min-w-0">
      <span className="block">{option.label}</span>
      {option.detail && (
        <span className="block text-xs text-pretty text-fg-subtle">{option.detail}</span>
      )}
    </span>
  )
}
