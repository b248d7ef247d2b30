import type { KeyboardEvent, ReactNode } from 'react'
import type { FieldValues, UseFormHandleSubmit } from 'react-hook-form'

import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import { usePendingEntry, type EntryFields } from '~/ui/form/pending-entries'

/** Properties of {@link SubForm}. */
export interface SubFormProps<V extends FieldValues> extends EntryFields<V> {
  /** Text of the button that adds, for example "Add target". */
  addLabel: string
  /** Nothing was entered: there is nothing to add or clear. */
  isBlank: boolean
  /** Adds the entry; resolves to whether it was valid. {@link entryAdder} makes such functions. */
  onAdd: () => Promise<boolean>
  /** Called after the person has added an entry, but not when submitting the surrounding form adds it. */
  onAdded?: () => void
  onClear: () => void
  /** Enter adds even when nothing was entered, so that the fields say what they miss. */
  answersBlankEnter?: boolean
  children: ReactNode
}

/**
 * Fields that add a row to a `MiniTable`. It is no form of its own, for forms cannot stand in each other; Enter in one of its inputs adds,
 * and does not send the form around it. When that is sent, it first adds what was entered here; where this is not valid, it is not sent.
 */
export function SubForm<V extends FieldValues>(props: SubFormProps<V>) {
  const { addLabel, isBlank, onAdd, onAdded, onClear, answersBlankEnter = false, children } = props
  usePendingEntry({ isBlank, add: onAdd }, props)
  const add = async () => {
    if (await onAdd()) onAdded?.()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    // An open list has answered the key by choosing an option.
    if (event.defaultPrevented || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!isBlank || answersBlankEnter) void add()
  }
  return (
    // The key is answered for the inputs inside, wherever they stand.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div role="group" aria-label={addLabel} onKeyDown={onKeyDown} className="flex flex-col gap-4">
      {children}
      <div className="flex max-w-lg justify-end gap-2">
        <Button needs={null} variant="ghost" size="sm" isDisabled={isBlank} onPress={onClear}>
          {common.clearLabel}
        </Button>
        <Button
          needs={null}
          variant="secondary"
          size="sm"
          isDisabled={isBlank}
          onPress={() => void add()}
        >
          {addLabel}
        </Button>
      </div>
    </div>
  )
}

/** Returns a function that adds the entry of a {@link SubForm} if it is valid, and resolves to whether it was. */
export const entryAdder =
  <V extends FieldValues>(handleSubmit: UseFormHandleSubmit<V>, add: (entry: V) => void) =>
  async (): Promise<boolean> => {
    let isValid = false
    await handleSubmit((entry) => {
      isValid = true
      add(entry)
    })()
    return isValid
  }
