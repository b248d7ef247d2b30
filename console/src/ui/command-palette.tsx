import { Search, X } from 'lucide-react'
import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Input } from 'react-aria-components/Input'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

import { fuzzyFilter } from '~/lib/fuzzy-match'
import * as common from '~/messages/common'
import * as messages from '~/messages/shell'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'
import type { MenuIcon } from '~/ui/menu'
import { Spinner } from '~/ui/spinner'
import { useEscape } from '~/ui/use-escape'

/** Something that the palette can do. */
export interface PaletteItem {
  /** Unique among all items. */
  id: string
  /** What is shown and searched for. */
  label: string
  /** Shown beside the label, for example what contains the thing. Not searched for. */
  detail?: string
  /** Shown at the end, for example a state. */
  badge?: ReactNode
  icon?: MenuIcon
  /** As it is pressed elsewhere, for example "n". Shown, not bound. */
  shortcut?: string
  /** Why it is disabled. The item stays in the list and shows the reason. */
  disabledReason?: ReactNode
  /** Called after the palette has been told to close. */
  onSelect: () => void
}

/** Items under a common heading. */
export interface PaletteGroup {
  heading: string
  items: readonly PaletteItem[]
}

/** Properties of {@link CommandPalette}. */
export interface CommandPaletteProps {
  /** Groups in the order they are shown in without a search. */
  groups: readonly PaletteGroup[]
  /** Groups that answer the text already, shown as they are below those of `groups` that match it. */
  found?: readonly PaletteGroup[]
  /** Called with what is typed. */
  onType?: (text: string) => void
  /** Narrows what is found down; below the text. */
  filters?: ReactNode
  /** Whether more may be found. Until it is known, nothing is said to be missing. */
  isSearching?: boolean
  /** Below the list: why nothing more was found. */
  failure?: ReactNode
  /** What can be typed; what the field is for unless given. */
  placeholder?: string
  /** Shown when nothing matches. */
  noMatch?: string
  isOpen: boolean
  onDismiss: () => void
}

/** Dialog "Quick actions": a search over everything that can be done here. */
export function CommandPalette({ isOpen, ...palette }: CommandPaletteProps) {
  const { onDismiss } = palette
  useEscape(isOpen, onDismiss)
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onDismiss()}
      isDismissable
      className={({ isEntering }) =>
        cn('fixed inset-0 z-modal bg-scrim', isEntering && 'animate-fade-in')
      }
    >
      <Modal
        className={({ isEntering }) =>
          cn(
            'absolute inset-x-0 top-[min(20vh,10rem)] mx-auto w-184 max-w-[calc(100vw-2rem)]',
            isEntering && 'animate-pop-in',
          )
        }
      >
        <Dialog
          aria-label={messages.paletteTitle}
          className="overflow-hidden rounded-md bg-raised shadow-overlay outline-none"
        >
          <Palette {...palette} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

// Apart from the dialog, so that closing it forgets the text and the selection.
function Palette({
  groups,
  found = NONE,
  onType,
  filters,
  isSearching = false,
  failure,
  placeholder = messages.searchLabel,
  noMatch = messages.noMatchTitle,
  onDismiss,
}: Omit<CommandPaletteProps, 'isOpen'>) {
  const [query, setQuery] = useState('')
  const [selected, setSelected] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const matches = useMemo(
    () => [...matchingGroups(groups, query), ...found],
    [groups, query, found],
  )
  const items = matches.flatMap((group) => group.items)
  // Items come and go while the palette is open; the selection stays within them.
  const current = Math.min(selected, items.length - 1)
  const optionId = (index: number): string => `${id}-option-${index}`
  const run = (item: PaletteItem | undefined): void => {
    if (!item || item.disabledReason) return
    onDismiss()
    item.onSelect()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      // A key held down must not go on to run what the next screen focuses.
      if (!event.repeat) run(items[current])
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || items.length === 0) return
    event.preventDefault()
    setSelected((current + step + items.length) % items.length)
  }
  const type = (text: string): void => {
    setQuery(text)
    setSelected(0)
    onType?.(text)
  }
  return (
    <>
      <div className="flex h-13 items-center gap-2 border-b border-line pr-3 pl-4">
        <Search aria-hidden="true" className="size-4 shrink-0 text-fg-subtle" />
        <Input
          ref={input}
          autoFocus
          role="combobox"
          aria-label={messages.searchLabel}
          aria-autocomplete="list"
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={items.length > 0 ? optionId(current) : undefined}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          value={query}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-full min-w-0 grow bg-transparent text-base outline-none placeholder:text-fg-subtle"
        />
        {isSearching && <Spinner label={messages.searchingLabel} />}
        {query !== '' && (
          <Button
            needs={null}
            variant="ghost"
            size="icon"
            aria-label={common.clearLabel}
            className="size-7"
            onPress={() => {
              type('')
              input.current?.focus()
            }}
          >
            <X aria-hidden="true" />
          </Button>
        )}
        <Button needs={null} variant="secondary" size="sm" onPress={onDismiss}>
          {common.dismissLabel}
        </Button>
      </div>
      {filters}
      <OptionList
        {...{ id, groups: matches, current, optionId, run }}
        onHover={setSelected}
        emptyText={emptyText(query, isSearching, noMatch)}
      />
      {failure}
      <Hints />
    </>
  )
}

const NONE: readonly PaletteGroup[] = []

const emptyText = (query: string, isSearching: boolean, noMatch: string): string => {
  if (query === '') return messages.noActionsTitle
  return isSearching ? messages.searchingLabel : noMatch
}

interface OptionListProps {
  id: string
  groups: readonly PaletteGroup[]
  current: number
  optionId: (index: number) => string
  run: (item: PaletteItem) => void
  onHover: (index: number) => void
  emptyText: string
}

function OptionList({ id, groups, current, optionId, run, onHover, emptyText }: OptionListProps) {
  const list = useRef<HTMLDivElement>(null)
  const currentId = optionId(current)
  useEffect(() => {
    if (list.current) scrollIntoView(list.current, document.getElementById(currentId))
  }, [currentId])
  const starts = startIndices(groups)
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={common.actionsLabel}
      className="relative max-h-96 overflow-y-auto pb-1.5 empty:hidden"
    >
      {groups.length === 0 && (
        <div className="px-4 py-8 text-center text-sm text-fg-muted">{emptyText}</div>
      )}
      {groups.map((group, groupIndex) => (
        <div key={group.heading} role="group" aria-labelledby={`${id}-${group.heading}`}>
          <h3
            id={`${id}-${group.heading}`}
            role="presentation"
            className="sticky top-0 z-1 h-8 bg-raised px-4 pt-2.5 text-label text-fg-subtle"
          >
            {group.heading}
          </h3>
          {group.items.map((item, offset) => {
            const at = (starts[groupIndex] ?? 0) + offset
            return (
              <Option
                key={item.id}
                id={optionId(at)}
                item={item}
                isSelected={at === current}
                onHover={() => onHover(at)}
                onPress={() => run(item)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

interface OptionProps {
  id: string
  item: PaletteItem
  isSelected: boolean
  onHover: () => void
  onPress: () => void
}

function Option({ id, item, isSelected, onHover, onPress }: OptionProps) {
  const Icon = item.icon
  return (
    // The input keeps the focus and answers the keys; the pointer is all that an option itself has to do with.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-disabled={item.disabledReason ? true : undefined}
      onPointerMove={isSelected ? undefined : onHover}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
      className={cn(
        'mx-1.5 flex min-h-9 cursor-default items-center gap-2.5 rounded-sm px-2.5 text-sm',
        item.disabledReason ? 'text-fg-disabled' : 'text-fg',
        isSelected && 'bg-selected',
      )}
    >
      {Icon && <Icon aria-hidden="true" className="size-4 shrink-0 text-fg-subtle" />}
      <span className="max-w-full shrink-0 truncate">{item.label}</span>
      <span className="min-w-0 grow truncate text-xs text-fg-subtle">{item.detail}</span>
      {item.disabledReason && (
        <span className="truncate text-xs text-fg-subtle">{item.disabledReason}</span>
      )}
      {item.badge}
      {item.shortcut && <kbd className="text-2xs text-fg-subtle">{item.shortcut}</kbd>}
    </div>
  )
}

const HINTS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['Enter'], does: messages.submitKeyLabel },
  { keys: ['Arrow Up', 'Arrow Down'], does: messages.selectKeyLabel },
  { keys: ['Esc'], does: messages.closeKeyLabel },
]

function Hints() {
  return (
    <footer className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line bg-chrome px-4 py-2 text-xs text-fg-subtle">
      {HINTS.map(({ keys, does }) => (
        <span key={does} className="flex items-center gap-1">
          {keys.map((key) => (
            <kbd
              key={key}
              className="rounded-sm border border-line-strong bg-raised px-1 text-2xs text-fg-muted"
            >
              {key}
            </kbd>
          ))}
          {does}
        </span>
      ))}
    </footer>
  )
}

/** Groups of the matching items: best matches first, and groups in the order of their best item. */
function matchingGroups(groups: readonly PaletteGroup[], query: string): PaletteGroup[] {
  const all = groups.flatMap(({ heading, items }) => items.map((item) => ({ heading, item })))
  const found = new Map<string, PaletteItem[]>()
  for (const { heading, item } of fuzzyFilter(all, query, (entry) => entry.item.label)) {
    const members = found.get(heading)
    if (members) members.push(item)
    else found.set(heading, [item])
  }
  return Array.from(found, ([heading, items]) => ({ heading, items }))
}

/** For each group, the number of items before it. */
function startIndices(groups: readonly PaletteGroup[]): number[] {
  const starts: number[] = []
  let before = 0
  for (const group of groups) {
    starts.push(before)
    before += group.items.length
  }
  return starts
}

const HEADING_HEIGHT = 32

/** Scrolls a list until an option is in sight, below the heading that covers the top of the list. */
function scrollIntoView(list: HTMLElement, option: HTMLElement | null): void {
  if (!option) return
  const top = option.offsetTop - HEADING_HEIGHT
  const bottom = option.offsetTop + option.offsetHeight
  if (top < list.scrollTop) list.scrollTop = top
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight
}
