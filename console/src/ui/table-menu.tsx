import { Copy } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'

import { copyText } from '~/lib/clipboard'
import * as messages from '~/messages/tables'
import { MenuPanel, useMenuState, type MenuEntry } from '~/ui/menu'

/** The menu of a table's rows. */
export interface RowMenuProps<R> {
  /** Entries of the row menu; "Copy ID" comes first by itself when the row has an id. */
  rowActions?: (row: R) => MenuEntry[]
  /** Wraps the open row menu, for data that is only fetched when the menu opens. */
  aroundRowMenu?: (row: R, menu: ReactNode) => ReactNode
  /** Text of the automatic first entry, for example "Copy silo ID". */
  copyIdLabel?: string
}

/** The one menu of a table, for the row whose button has opened it. It stays with the row while others come and go. */
export function useRowMenu<R extends object>(
  { rowActions, aroundRowMenu, copyIdLabel }: RowMenuProps<R>,
  rowWithId: (id: string) => R | undefined,
) {
  const button = useRef<HTMLButtonElement>(null)
  const [id, setId] = useState<string>()
  const { isOpen, change, panel } = useMenuState(button)
  const row = isOpen && id !== undefined ? rowWithId(id) : undefined
  const isGone = isOpen && row === undefined
  useEffect(() => {
    if (isGone) change(false)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- closing once is enough
  }, [isGone])
  useEffect(() => {
    if (!isOpen) return undefined
    const opened = button.current
    // Not a property of the row, which would render again.
    opened?.setAttribute('aria-expanded', 'true')
    return () => opened?.setAttribute('aria-expanded', 'false')
  }, [isOpen, id])

  const open = (opener: HTMLButtonElement, of: string, start: 'first' | 'last' | null) => {
    const isSame = isOpen && button.current === opener
    button.current = opener
    setId(of)
    change(!isSame, start)
  }
  const menu = row && rowActions && (
    <MenuPanel
      label={messages.rowActionsLabel}
      items={[...copyEntry(row, copyIdLabel), ...rowActions(row)]}
      placement="bottom end"
      {...panel}
    />
  )
  return { open, menu: row && aroundRowMenu ? aroundRowMenu(row, menu) : menu }
}

function copyEntry(row: object, label = messages.copyIdLabel): MenuEntry[] {
  const id = 'id' in row && typeof row.id === 'string' ? row.id : undefined
  if (id === undefined) return []
  return [{ id: 'copy-id', label, icon: Copy, needs: null, onAction: () => void copyText(id) }]
}
