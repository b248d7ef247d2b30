import { Check, ExternalLink } from 'lucide-react'
import type { ComponentProps, ReactNode, RefObject } from 'react'
import { useRef } from 'react'
import { Header } from 'react-aria-components/Header'
import { Keyboard } from 'react-aria-components/Keyboard'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { Text } from 'react-aria-components/Text'
import { TooltipTrigger } from 'react-aria-components/Tooltip'

import { cn } from '~/ui/class-names'
import { usePopoverZIndex } from '~/ui/layer'
import type { MenuAction, MenuChecks, MenuChoice, MenuEntry, MenuPlacement } from '~/ui/menu'
import { useRefusal } from '~/ui/refusal-context'
import type { Refuse } from '~/ui/refusal-context'
import { TooltipBubble } from '~/ui/shown-tip'

export type MenuPanelProps = {
  /** Accessible name of the menu. */
  label: string
  items: MenuEntry[]
  /** Which menu it is, where one takes the place of another: the focus then starts anew. */
  step?: string
  placement: MenuPlacement
  /** The button that opened it; focus returns there. */
  triggerRef: RefObject<HTMLElement | null>
  /** Which item the focus starts at: none when a pointer opened the menu. */
  focus: 'first' | 'last' | null
  onClose: () => void
  /** An action was chosen; it is to be done once the menu is gone. */
  onChoose: (action: () => void) => void
}

/** The open menu. A module of its own, because it is loaded on demand. */
export function MenuPanel(props: MenuPanelProps) {
  const { label, items, step, placement, triggerRef, focus, onClose, onChoose } = props
  const refuse = useRefusal()
  const zIndex = usePopoverZIndex('menu')
  return (
    <Popover
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      triggerRef={triggerRef}
      trigger="MenuTrigger"
      aria-label={label}
      placement={placement}
      offset={4}
      style={{ zIndex }}
      className={({ isEntering, isExiting }) =>
        cn(
          'min-w-44 overflow-y-auto rounded-md bg-raised py-1 shadow-overlay outline-none',
          isEntering && 'animate-pop-in',
          isExiting && 'animate-fade-out',
        )
      }
    >
      <Menu
        key={step}
        aria-label={label}
        // The menu itself takes the focus when no item does, so that its keys work at once.
        autoFocus={focus ?? true}
        onClose={onClose}
        className="outline-none"
      >
        {items.map((item, index) => menuEntry(item, index, refuse, onChoose))}
      </Menu>
    </Popover>
  )
}

const itemClasses =
  'flex min-h-8 cursor-default max-md:min-h-11 items-center gap-2.5 px-3 py-1 text-sm outline-none data-focused:bg-hover data-focus-visible:-outline-offset-2 data-focus-visible:outline-2 data-focus-visible:outline-focus [&_svg]:size-4 [&_svg]:shrink-0'

function menuEntry(
  entry: MenuEntry,
  index: number,
  refuse: Refuse,
  onChoose: MenuPanelProps['onChoose'],
) {
  if ('separator' in entry) {
    return <Separator key={`separator-${index}`} className="my-1 border-t border-line" />
  }
  if ('choice' in entry) return <ChoiceSection key={entry.id} {...entry} />
  if ('checks' in entry) return <ChecksSection key={entry.id} {...entry} />
  // A missing right is reported before a reason that is temporary.
  const refusal = refuse(entry.needs)
  const reason = refusal ?? entry.disabledReason
  const marks = { 'data-needs': entry.needs?.name, 'data-refused': refusal ? '' : undefined }
  if (reason) return <DisabledItem key={entry.id} entry={entry} reason={reason} marks={marks} />
  const isExternal = entry.href !== undefined && /^https?:/.test(entry.href)
  const { onAction } = entry
  return (
    <MenuItem
      key={entry.id}
      id={entry.id}
      textValue={entry.label}
      onAction={onAction && (entry.keepsOpen ? onAction : () => onChoose(onAction))}
      shouldCloseOnSelect={!entry.keepsOpen}
      href={entry.href}
      {...marks}
      {...(isExternal && { target: '_blank', rel: 'noreferrer' })}
      className={cn(itemClasses, entry.destructive ? 'text-danger-text' : 'text-fg')}
    >
      <ItemContent entry={entry} />
      {isExternal && <ExternalLink aria-hidden="true" className="text-fg-subtle" />}
    </MenuItem>
  )
}

function ItemContent({ entry }: { entry: Pick<MenuAction, 'icon' | 'label' | 'shortcut'> }) {
  const Icon = entry.icon
  return (
    <>
      {Icon && <Icon aria-hidden="true" className="opacity-80" />}
      <Text slot="label" className="grow">
        {entry.label}
      </Text>
      {entry.shortcut && (
        <Keyboard className="ml-4 text-2xs text-fg-subtle">{entry.shortcut}</Keyboard>
      )}
    </>
  )
}

/** A disabled item. It can be focused, so that its reason can be read, but does nothing. */
function DisabledItem({
  entry,
  reason,
  marks,
}: {
  entry: MenuAction
  reason: ReactNode
  marks: object
}) {
  const ref = useRef<HTMLDivElement>(null)
  return (
    <MenuItem
      ref={ref}
      id={entry.id}
      textValue={entry.label}
      {...marks}
      shouldCloseOnSelect={false}
      render={(props) => <div {...(props as ComponentProps<'div'>)} aria-disabled="true" />}
      className={cn(itemClasses, 'text-fg-disabled')}
    >
      {({ isFocused }) => (
        <>
          <ItemContent entry={entry} />
          <Text slot="description" className="sr-only">
            {reason}
          </Text>
          {/* The bubble needs a trigger around it for its state, although `triggerRef` sets its target. */}
          <TooltipTrigger isOpen={isFocused}>
            <TooltipBubble triggerRef={ref} placement="left">
              {reason}
            </TooltipBubble>
          </TooltipTrigger>
        </>
      )}
    </MenuItem>
  )
}

const headerClasses = 'px-3 pt-1.5 pb-1 text-label text-fg-subtle'

function ChoiceSection({ choice, options, selected, onSelect }: MenuChoice) {
  return (
    <MenuSection
      aria-label={choice}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[selected]}
      onSelectionChange={(keys) => {
        const [chosen] = keys
        if (chosen !== undefined) onSelect(String(chosen))
      }}
    >
      <Header className={headerClasses}>{choice}</Header>
      {options.map((option) => (
        <MenuItem
          key={option.id}
          id={option.id}
          textValue={option.label}
          className={cn(itemClasses, 'text-fg')}
        >
          <ItemContent entry={option} />
          {option.id === selected && <Check aria-hidden="true" className="text-accent-text" />}
        </MenuItem>
      ))}
    </MenuSection>
  )
}

function ChecksSection({ checks, options, checked, onCheck }: MenuChecks) {
  return (
    <MenuSection
      aria-label={checks}
      selectionMode="multiple"
      selectedKeys={checked}
      onSelectionChange={(keys) =>
        onCheck(new Set(keys === 'all' ? options.map(({ id }) => id) : [...keys].map(String)))
      }
    >
      <Header className={headerClasses}>{checks}</Header>
      {options.map((option) => (
        <MenuItem
          key={option.id}
          id={option.id}
          textValue={option.label}
          shouldCloseOnSelect={false}
          className={cn(itemClasses, 'text-fg')}
        >
          <ItemContent entry={option} />
          {option.count !== undefined && (
            <Text slot="description" className="text-xs text-fg-subtle tabular">
              {option.count}
            </Text>
          )}
          {checked.includes(option.id) && <Check aria-hidden="true" className="text-accent-text" />}
        </MenuItem>
      ))}
    </MenuSection>
  )
}
