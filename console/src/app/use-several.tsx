import { useState } from 'react'

import type { MenuEntry } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import type { TableProps } from '~/ui/table'
import type { TableSelection } from '~/ui/table-selection'

/** Loaded when the first row is selected. */
const SelectionBar = onDemand(async () => (await import('./selection-bar')).SelectionBar)

const NONE: ReadonlySet<string> = new Set()

/** Selecting rows of a list whose actions can be done to several, and the bar with these actions. */
export function useSeveral<Row extends object>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  rowActions: TableProps<Row>['rowActions'],
) {
  const [selected, setSelected] = useState(NONE)
  const [isWorking, setWorking] = useState(false)
  const chosen = rows
    .filter((row) => selected.has(rowKey(row)))
    .map((row) => ({ key: rowKey(row), entries: rowActions?.(row) ?? [] }))
  const [first] = rows
  const canSelect = first !== undefined && rowActions?.(first).some(hasSeveral)
  const selection: TableSelection = { mode: 'multiple', selected, onChange: setSelected }
  return {
    selection: canSelect ? selection : undefined,
    bar: (isWorking || (canSelect && chosen.length > 0)) && (
      <SelectionBar chosen={chosen} onSelect={setSelected} onWorking={setWorking} />
    ),
  }
}

const hasSeveral = (entry: MenuEntry) => 'several' in entry && entry.several !== undefined
