import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { ListBoxItem } from 'react-aria-components/ListBox'
import { Text } from 'react-aria-components/Text'

import { cn } from '~/ui/class-names'

/** One choice of a listbox or combobox. */
export interface ListOption {
  /** Unique among the options; becomes the value of the field. */
  value: string
  /** One line; also what is typed and searched for. */
  label: string
  /** What the button of a listbox shows once this is chosen; the label unless given. */
  chosenLabel?: string
  /** Second line, dimmer. */
  detail?: ReactNode
  /** Shown after the label, for example a badge. */
  badge?: ReactNode
  isDisabled?: boolean
}

/** Look of the box that options drop into. */
export const OPTIONS_POPOVER_CLASS =
  'max-h-72 w-(--trigger-width) overflow-y-auto rounded-md bg-raised py-1 shadow-overlay outline-none'

const ITEM_CLASS =
  'flex min-h-8 cursor-default items-center gap-2 px-2.5 py-1.5 text-sm text-fg outline-none data-disabled:text-fg-disabled data-focused:bg-hover data-selected:bg-selected'

/**
 * An option in an open list.
 *
 * @param id the option's value; react-aria reads it from here to tell the options of a changing list apart.
 * @param textValue what choosing the option writes into an input; its label unless given.
 */
export function OptionItem({
  id,
  option,
  textValue = option.label,
}: {
  id: string
  option: ListOption
  textValue?: string
}) {
  return (
    <ListBoxItem
      id={id}
      textValue={textValue}
      isDisabled={option.isDisabled}
      className={ITEM_CLASS}
    >
      {({ isSelected }) => (
        <>
          <div className="min-w-0 grow">
            <Text slot="label" className="block truncate">
              {option.label}
            </Text>
            {option.detail && (
              <Text slot="description" className="block truncate text-xs text-fg-subtle">
                {option.detail}
              </Text>
            )}
          </div>
          {option.badge}
          <Check
            aria-hidden="true"
            className={cn('size-4 shrink-0 text-accent-text', !isSelected && 'invisible')}
          />
        </>
      )}
    </ListBoxItem>
  )
}

/** What an open list says when it has nothing to choose. */
export function NoOptions({ children }: { children: ReactNode }) {
  return (
    <div aria-disabled="true" className="px-2.5 py-1.5 text-sm text-fg-subtle">
      {children}
    </div>
  )
}
