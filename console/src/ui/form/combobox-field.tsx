import { ChevronsUpDown } from 'lucide-react'
import { useContext, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { ListBox } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'

import { includesFolded } from '~/lib/text'
import * as messages from '~/messages/forms'
import { cn } from '~/ui/class-names'
import { FieldFrame } from '~/ui/form/field-frame'
import {
  NoOptions,
  OptionItem,
  OPTIONS_POPOVER_CLASS,
  type ListOption,
} from '~/ui/form/list-options'
import { textOf } from '~/ui/form/text-field'
import { labelling, useField, type FieldProps } from '~/ui/form/use-field'
import { usePopoverZIndex } from '~/ui/layer'
import { Spinner, useMinimumDuration } from '~/ui/spinner'

/** Properties of {@link ComboboxField}. */
export interface ComboboxFieldProps<
  V extends FieldValues,
  N extends FieldPath<V>,
> extends FieldProps<V, N> {
  options: readonly ListOption[]
  /** Takes typed text that is no option as the value, too. The input then shows values, not labels. */
  allowsCustomValue?: boolean
  placeholder?: string
  isLoading?: boolean
  /** Shown in the open list when there are no options at all. */
  noOptions?: string
  /** What Enter does while the list is closed, instead of sending the form. */
  onEnter?: () => void
}

/**
 * One of many options, found by typing: filtering ignores case and spaces and keeps the options' order. The value is
 * the option's, a string; empty when none is chosen.
 */
export function ComboboxField<V extends FieldValues, N extends FieldPath<V>>(
  props: ComboboxFieldProps<V, N>,
) {
  const { required = false, help, allowsCustomValue = false } = props
  const connected = useField(props, { isEmpty: (value) => textOf(value) === '' })
  const { ref, value, onBlur, ids, label, error, change } = connected
  const inner: ComboboxProps = {
    ids: labelling(connected, help),
    inputId: ids.control,
    options: props.options,
    value: textOf(value),
    onChange: (value) => change(value as FieldPathValue<V, N>),
    onBlur: onBlur,
    fieldRef: ref,
    placeholder:
      props.placeholder ??
      (allowsCustomValue ? messages.selectOrEnterPlaceholder : messages.selectPlaceholder),
    noOptions: props.noOptions ?? messages.noItemsTitle,
    isLoading: props.isLoading ?? false,
    isDisabled: props.disabled ?? false,
    isInvalid: error !== undefined,
    isRequired: required,
    onEnter: props.onEnter,
  }
  return (
    <FieldFrame {...{ ids, label, required, help, error }}>
      {allowsCustomValue ? <CustomCombobox {...inner} /> : <FixedCombobox {...inner} />}
    </FieldFrame>
  )
}

interface ComboboxProps {
  ids: { 'aria-labelledby': string; 'aria-describedby'?: string }
  inputId: string
  options: readonly ListOption[]
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  /** Receives the object that the form focuses if this is the first invalid field. */
  fieldRef: (target: { focus: () => void } | null) => void
  placeholder: string
  noOptions: string
  isLoading: boolean
  isDisabled: boolean
  isInvalid: boolean
  isRequired: boolean
  onEnter?: () => void
}

/** Accepts options only: text that matches none is dropped when the list closes. */
function FixedCombobox(props: ComboboxProps) {
  const { menuTrigger, inputRef } = useQuietFocus(props.fieldRef)
  return (
    <ComboBox
      {...commonProps(props)}
      menuTrigger={menuTrigger}
      defaultItems={props.options}
      defaultFilter={includesFolded}
      selectedKey={props.value === '' ? null : props.value}
      onSelectionChange={(key) => props.onChange(key === null ? '' : String(key))}
    >
      <ComboboxInput {...props} inputRef={inputRef} />
      <HighlightFirstMatch />
      <OptionList
        labelId={props.ids['aria-labelledby']}
        noOptions={props.options.length === 0 ? props.noOptions : messages.noMatchTitle}
      >
        {(option: ListOption) => <OptionItem id={option.value} option={option} />}
      </OptionList>
    </ComboBox>
  )
}

/** Options and anything else: every keystroke is the value, and the list offers it as "Custom: …". */
function CustomCombobox(props: ComboboxProps) {
  const { options, value, onChange } = props
  const { menuTrigger, inputRef } = useQuietFocus(props.fieldRef)
  // What was typed since the list opened. Opening it by focus shows everything, whatever the value is.
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const matching = options.filter((option) => includesFolded(option.label, query))
  const isKnown =
    value === '' || options.some((option) => option.value === value || option.label === value)
  // The input shows values, so an option's text is its value here; its label is only what the list shows.
  const items = isKnown ? matching : [...matching, { value, label: messages.customLabel(value) }]
  return (
    <ComboBox
      {...commonProps(props)}
      menuTrigger={menuTrigger}
      allowsCustomValue
      items={items}
      inputValue={value}
      onInputChange={(text) => {
        if (text === value) return
        setQuery(text)
        setChosen(null)
        onChange(text)
      }}
      selectedKey={chosen}
      onSelectionChange={(key) => {
        setChosen(key === null ? null : String(key))
        if (key !== null) onChange(String(key))
      }}
      onOpenChange={(isOpen, trigger) => {
        if (!isOpen || trigger !== 'input') setQuery('')
      }}
    >
      <ComboboxInput {...props} inputRef={inputRef} />
      <OptionList labelId={props.ids['aria-labelledby']} noOptions={props.noOptions}>
        {(option: ListOption) => (
          <OptionItem id={option.value} option={option} textValue={option.value} />
        )}
      </OptionList>
    </ComboBox>
  )
}

function commonProps({ ids, inputId, isDisabled, isInvalid, onBlur }: ComboboxProps) {
  return {
    ...ids,
    id: inputId,
    isDisabled,
    isInvalid,
    onBlur,
    validationBehavior: 'aria' as const,
    allowsEmptyCollection: true,
    className: 'w-full',
  }
}

/**
 * The list opens when a person focuses the input, but not when the form does so to point out a mistake: the open
 * list would cover the message.
 */
function useQuietFocus(fieldRef: ComboboxProps['fieldRef']) {
  const inputRef = useRef<HTMLInputElement>(null)
  const [requests, setRequests] = useState(0)
  const [isQuiet, setIsQuiet] = useState(false)
  useEffect(() => {
    fieldRef({
      focus: () => {
        setIsQuiet(true)
        setRequests((count) => count + 1)
      },
    })
    return () => fieldRef(null)
  }, [fieldRef])
  useEffect(() => {
    if (requests === 0) return
    inputRef.current?.focus()
    setIsQuiet(false)
  }, [requests])
  return { menuTrigger: isQuiet ? ('input' as const) : ('focus' as const), inputRef }
}

function ComboboxInput(
  props: ComboboxProps & { inputRef: React.RefObject<HTMLInputElement | null> },
) {
  const { placeholder, isLoading, isInvalid, isRequired, onEnter, inputRef } = props
  const isSpinning = useMinimumDuration(isLoading)
  const state = useContext(ComboBoxStateContext)
  useContentInReach(inputRef, state?.isOpen ?? false)
  useSteadyFocus(inputRef)
  return (
    <Group
      className={cn(
        'flex h-8 w-full rounded-sm border bg-field data-disabled:border-line-strong data-disabled:bg-sunken data-focus-within:outline-2 data-focus-within:outline-offset-1 data-focus-within:outline-focus',
        isInvalid ? 'border-danger-solid' : 'border-line-control',
      )}
    >
      <Input
        ref={inputRef}
        placeholder={placeholder}
        spellCheck={false}
        aria-required={isRequired || undefined}
        // In the capture phase, because react-aria stops the propagation of Enter.
        onKeyDownCapture={(event) => {
          if (event.key !== 'Enter' || state?.isOpen || !onEnter) return
          event.preventDefault()
          onEnter()
        }}
        className="min-w-0 grow truncate bg-transparent pl-2.5 text-sm text-fg outline-none placeholder:text-fg-subtle disabled:text-fg-muted"
      />
      {/* The input itself opens the list; to assistive technology the arrow would only be noise. */}
      <span aria-hidden="true" className="flex">
        <Button className="flex w-8 items-center justify-center text-fg-subtle">
          {isSpinning ? <Spinner /> : <ChevronsUpDown className="size-4" />}
        </Button>
      </span>
    </Group>
  )
}

/**
 * Keeps the content around an open list in reach of assistive technology. React-aria hides it, though the input keeps
 * the focus and Tab leads on from it, into what would then be hidden. What is marked as an announcer it leaves alone.
 */
function useContentInReach(inputRef: React.RefObject<HTMLInputElement | null>, isOpen: boolean) {
  useLayoutEffect(() => {
    const input = inputRef.current
    if (!isOpen || !input) return undefined
    const content = Array.from(document.body.children).find((child) => child.contains(input))
    content?.setAttribute('data-live-announcer', 'true')
    return () => content?.removeAttribute('data-live-announcer')
  }, [inputRef, isOpen])
}

/**
 * Keeps the list open when the browser scrolls the input into view because it got the focus. React-aria closes lists on
 * every scrolling around them, and this one arrives in the frame after the list opened.
 */
function useSteadyFocus(inputRef: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const input = inputRef.current
    if (!input) return undefined
    const ignore = (event: Event) => event.stopImmediatePropagation()
    const heed = () => window.removeEventListener('scroll', ignore, true)
    const onFocus = () => {
      window.addEventListener('scroll', ignore, true)
      requestAnimationFrame(() => requestAnimationFrame(heed))
    }
    input.addEventListener('focus', onFocus)
    return () => {
      input.removeEventListener('focus', onFocus)
      heed()
    }
  }, [inputRef])
}

/** Highlights the first option while typing, so that Enter takes it. Where any text is a value, Enter keeps the text. */
function HighlightFirstMatch() {
  const state = useContext(ComboBoxStateContext)
  const inputValue = state?.inputValue
  const isOpen = state?.isOpen ?? false
  const latest = useRef(state)
  useEffect(() => {
    latest.current = state
  })
  useEffect(() => {
    if (!isOpen || !inputValue || inputValue === latest.current?.selectedItem?.textValue) return
    // React-aria clears the highlight in an effect of a component above, which runs after this one.
    queueMicrotask(() => {
      const now = latest.current
      if (!now?.isOpen) return
      const first = [...now.collection].find(
        (node) => !now.disabledKeys.has(node.key) && node.props?.isDisabled !== true,
      )
      now.selectionManager.setFocusedKey(first?.key ?? null)
    })
  }, [inputValue, isOpen])
  return null
}

function OptionList({
  noOptions,
  labelId,
  children,
}: {
  noOptions: string
  /** Id of the field's label. */
  labelId: string
  children: (option: ListOption) => ReactNode
}) {
  const zIndex = usePopoverZIndex()
  return (
    <Popover offset={4} style={{ zIndex }} className={OPTIONS_POPOVER_CLASS}>
      {/* A landmark, because it is rendered at the end of the document, outside of all others. */}
      <section aria-labelledby={labelId}>
        <ListBox
          className="outline-none"
          renderEmptyState={() => <NoOptions>{noOptions}</NoOptions>}
        >
          {children}
        </ListBox>
      </section>
    </Popover>
  )
}
