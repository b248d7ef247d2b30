import { ChevronsUpDown } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { ListBox } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select, SelectValue } from 'react-aria-components/Select'

import * as text from '~/messages/forms'
import { cn } from '~/ui/class-names'
import { OptionItem, OPTIONS_POPOVER_CLASS, type ListOption } from '~/ui/form/list-options'
import { usePopoverZIndex } from '~/ui/layer'
import { chosenLabel, listboxClass } from '~/ui/listbox-look'
import { Spinner, useMinimumDuration } from '~/ui/spinner'

/** Properties of a listbox that does not belong to a form. */
export interface ListboxProps {
  options: readonly ListOption[]
  /** Value of the chosen option; an empty string for none. */
  value: string
  onChange: (value: string) => void
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string
  placeholder?: string
  /** Shown, with the listbox disabled, when there are no options. */
  noOptions?: string
  isLoading?: boolean
  isDisabled?: boolean
  isInvalid?: boolean
  isRequired?: boolean
  onBlur?: () => void
  buttonRef?: (element: HTMLButtonElement | null) => void
  className?: string
  /** It opens as soon as it is there. It needs the focus, too, which returns to it. */
  isOpenAtFirst?: boolean
  /** It takes the focus as soon as it is there. */
  hasFocusAtFirst?: boolean
}

/** Button that opens a list of options to choose one from. */
export function Listbox({
  options,
  value,
  onChange,
  id,
  placeholder = text.selectPlaceholder,
  noOptions = text.noItemsTitle,
  isLoading = false,
  isDisabled = false,
  isInvalid = false,
  isRequired = false,
  onBlur,
  buttonRef,
  className,
  isOpenAtFirst,
  hasFocusAtFirst,
  ...naming
}: ListboxProps) {
  const isSpinning = useMinimumDuration(isLoading)
  const isUseless = isDisabled || isSpinning || options.length === 0
  const ownId = useId()
  const buttonId = id ?? ownId
  const valueId = `${buttonId}-value`
  const zIndex = usePopoverZIndex()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpenAtFirst) setOpen(true)
  }, [isOpenAtFirst])
  return (
    <Select
      aria-label={naming['aria-label']}
      aria-labelledby={naming['aria-labelledby']}
      selectedKey={options.some((option) => option.value === value) ? value : null}
      onSelectionChange={(key) => key !== null && onChange(String(key))}
      onBlur={onBlur}
      isDisabled={isUseless}
      isInvalid={isInvalid}
      validationBehavior="aria"
      isOpen={isOpen}
      onOpenChange={setOpen}
      autoFocus={hasFocusAtFirst}
      placeholder={!isSpinning && options.length === 0 ? noOptions : placeholder}
      className="w-full"
    >
      <Button
        id={buttonId}
        ref={buttonRef}
        // Named by its label alone, as other fields are; what is chosen is its description.
        aria-label={naming['aria-label']}
        aria-labelledby={naming['aria-labelledby'] ?? buttonId}
        aria-describedby={cn(valueId, naming['aria-describedby'])}
        data-required={isRequired || undefined}
        className={listboxClass(isInvalid, className)}
      >
        <SelectValue<object> className="min-w-0 grow truncate text-left">
          {({ isPlaceholder, defaultChildren }) => (
            <span
              id={valueId}
              className={isPlaceholder || isUseless ? 'text-fg-subtle' : 'text-fg'}
            >
              {isPlaceholder ? defaultChildren : chosenLabel(options, value)}
            </span>
          )}
        </SelectValue>
        {isSpinning ? (
          <Spinner label={text.loadingOptionsLabel} />
        ) : (
          <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-fg-subtle" />
        )}
      </Button>
      <Popover offset={4} style={{ zIndex }} className={OPTIONS_POPOVER_CLASS}>
        <ListBox items={options} className="outline-none">
          {(option) => <OptionItem id={option.value} option={option} />}
        </ListBox>
      </Popover>
    </Select>
  )
}
