import { Minus, Plus } from 'lucide-react'
import { Button } from 'react-aria-components/Button'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { NumberField as AriaNumberField } from 'react-aria-components/NumberField'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'

import * as messages from '~/messages/forms'
import { cn } from '~/ui/class-names'
import { FieldFrame } from '~/ui/form/field-frame'
import { labelling, useField, type FieldProps } from '~/ui/form/use-field'

/** Properties of {@link NumberField}. */
export interface NumberFieldProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<
  V,
  N
> {
  /** Shown in parentheses after the label. */
  unit?: string
  /** Smallest value; leaving the field raises a smaller one. */
  min?: number
  /** Largest value; leaving the field lowers a larger one. */
  max?: number
  /** What the buttons and arrow keys add. */
  step?: number
}

const FORMAT: Intl.NumberFormatOptions = { useGrouping: false, maximumFractionDigits: 3 }

/** Number with stepper buttons. The value is a number, or `null` while the field is empty. */
export function NumberField<V extends FieldValues, N extends FieldPath<V>>(
  props: NumberFieldProps<V, N>,
) {
  const { unit, min = 0, max, step, required = false, help, disabled } = props
  const connected = useField(props, { isEmpty: (value) => numberOf(value) === null })
  const { ref, name, value, onBlur, ids, error, change } = connected
  const label = unit ? `${connected.label} (${unit})` : connected.label
  return (
    <FieldFrame {...{ ids, label, required, help, error }}>
      <AriaNumberField
        {...labelling(connected, undefined)}
        aria-describedby={
          [help && ids.help, error && ids.error].filter(Boolean).join(' ') || undefined
        }
        id={ids.control}
        value={numberOf(value) ?? Number.NaN}
        onChange={(value) => change((Number.isNaN(value) ? null : value) as FieldPathValue<V, N>)}
        onBlur={onBlur}
        incrementAriaLabel={messages.increaseLabel(label)}
        decrementAriaLabel={messages.decreaseLabel(label)}
        minValue={min}
        maxValue={max}
        step={step}
        formatOptions={FORMAT}
        isDisabled={disabled}
        isInvalid={error !== undefined}
        validationBehavior="aria"
        // The wheel scrolls the form; it should not change numbers on its way.
        isWheelDisabled
      >
        {/* The ring goes around the whole: the input and its buttons are one control. */}
        <Group
          className={cn(
            'flex h-8 w-full overflow-hidden rounded-sm border bg-field data-disabled:border-line-strong data-disabled:bg-sunken data-focus-within:outline-2 data-focus-within:outline-offset-1 data-focus-within:outline-focus',
            error ? 'border-danger-solid' : 'border-line-control',
          )}
        >
          <Input
            ref={ref}
            name={name}
            spellCheck={false}
            autoComplete="off"
            aria-required={required || undefined}
            // A valid number is set while it is typed; any other is corrected on blur.
            onInput={({ currentTarget: { value: text } }) => {
              const typed = text === '' ? null : Number(text)
              const isPlain = /^\d*$/.test(text)
              const isInRange = typed === null || (typed >= min && typed <= (max ?? typed))
              if (isPlain && isInRange) change(typed as FieldPathValue<V, N>)
            }}
            className="min-w-0 grow bg-transparent px-2.5 text-sm text-fg tabular outline-none disabled:text-fg-muted"
          />
          <StepButton slot="decrement" icon={Minus} />
          <StepButton slot="increment" icon={Plus} />
        </Group>
      </AriaNumberField>
    </FieldFrame>
  )
}

function StepButton({ slot, icon: Icon }: { slot: 'increment' | 'decrement'; icon: typeof Plus }) {
  return (
    <Button
      slot={slot}
      className="flex w-8 shrink-0 items-center justify-center border-l border-line-strong text-fg-muted enabled:hover:bg-hover enabled:hover:text-fg disabled:text-fg-disabled data-pressed:bg-pressed"
    >
      <Icon aria-hidden="true" className="size-3.5" />
    </Button>
  )
}

/** A value of the form as a number; `null` if it is none. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && !Number.isNaN(value) ? value : null
}
