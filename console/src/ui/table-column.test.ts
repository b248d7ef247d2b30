import { expect, it } from 'vitest'

import type { Column } from '~/ui/table-column'
import { baseWidths } from '~/ui/table-column'

const columns = (minWidth?: number): Column<object>[] => [
  { id: 'name', header: 'Name', isName: true, minWidth, cell: () => 'one' },
  { id: 'description', header: 'Description', cell: () => '' },
]

it('gives columns their own widths where all of them fit', () => {
  expect(baseWidths(columns(), 400)).toEqual([240, 160])
})

it('lets the name column of a narrow table keep a part of it', () => {
  expect(baseWidths(columns(), 300)).toEqual([108, 160])
})

it('lets a name column keep as much as it needs', () => {
  expect(baseWidths(columns(164), 300)).toEqual([164, 160])
})
