import { X } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'

import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'

/** One column of a {@link MiniTable}. */
export interface MiniTableColumn<Item> {
  header: string
  cell: (item: Item, index: number) => ReactNode
}

/** Properties of {@link MiniTable}. */
export interface MiniTableProps<Item> {
  'aria-label': string
  columns: readonly MiniTableColumn<Item>[]
  items: readonly Item[]
  /** Identity of an item, unique in the table. */
  rowKey: (item: Item) => string
  onRemove: (item: Item, index: number) => void
  /** Name of an item's remove button; "Remove item {n}" unless given. */
  removeLabel?: (item: Item, index: number) => string
  /** Shown in place of rows; without it an empty table disappears. */
  emptyMessage?: ReactNode
}

/** Small table inside a form, of rows that a sub-form adds. */
export function MiniTable<Item>(props: MiniTableProps<Item>) {
  const { columns, items, rowKey, onRemove, emptyMessage } = props
  const removeLabel = props.removeLabel ?? ((_, index) => `Remove item ${index + 1}`)
  if (items.length === 0 && !emptyMessage) return null
  return (
    <div className="max-w-lg overflow-x-auto rounded-md border border-line">
      <table
        aria-label={props['aria-label']}
        className="w-full border-separate border-spacing-0 text-sm"
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className="border-b border-line bg-chrome px-3 py-1.5 text-left text-label font-normal text-fg-subtle"
              >
                {column.header}
              </th>
            ))}
            <th scope="col" className="w-10 border-b border-line bg-chrome">
              <span className="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.length === 0 && (
            <tr>
              <td colSpan={columns.length + 1} className="px-3 py-4 text-center text-fg-subtle">
                {emptyMessage}
              </td>
            </tr>
          )}
          {items.map((item, index) => (
            <tr
              key={rowKey(item)}
              tabIndex={0}
              aria-rowindex={index + 1}
              className="group/row -outline-offset-2"
            >
              {columns.map((column, place) => (
                // The first column gives way, so that the button at the end stays in sight on a phone.
                <td
                  key={column.header}
                  className={cn(
                    CELL,
                    'whitespace-nowrap',
                    place === 0 && 'w-full max-w-0 overflow-hidden text-ellipsis',
                  )}
                >
                  {column.cell(item, index)}
                </td>
              ))}
              <td className={cn(CELL, 'px-1 text-center')}>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={removeLabel(item, index)}
                  className="size-7"
                  onPress={() => onRemove(item, index)}
                >
                  <X aria-hidden="true" />
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const CELL = 'h-9 border-b border-line px-3 group-last/row:border-b-0'

/** Properties of {@link SubForm}. */
export interface SubFormProps {
  /** Text of the button that adds, for example "Add target". */
  addLabel: string
  /** Nothing was entered: there is nothing to add or clear. */
  isBlank: boolean
  onAdd: () => void
  onClear: () => void
  /** Enter adds even when nothing was entered, so that the fields say what they miss. */
  answersBlankEnter?: boolean
  children: ReactNode
}

/**
 * Fields that add a row to a {@link MiniTable}. It is no form of its own, for forms cannot stand in each other; Enter
 * in one of its inputs adds, and does not send the form around it.
 */
export function SubForm(props: SubFormProps) {
  const { addLabel, isBlank, onAdd, onClear, answersBlankEnter = false, children } = props
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    // An open list has answered the key by choosing an option.
    if (event.defaultPrevented || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!isBlank || answersBlankEnter) onAdd()
  }
  return (
    // The key is answered for the inputs inside, wherever they stand.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div role="group" aria-label={addLabel} onKeyDown={onKeyDown} className="flex flex-col gap-4">
      {children}
      <div className="flex max-w-lg justify-end gap-2">
        <Button variant="ghost" size="sm" isDisabled={isBlank} onPress={onClear}>
          Clear
        </Button>
        <Button variant="secondary" size="sm" isDisabled={isBlank} onPress={onAdd}>
          {addLabel}
        </Button>
      </div>
    </div>
  )
}
