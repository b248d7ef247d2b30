import { afterEach, describe, expect, it, vi } from 'vitest'

import type { Column } from '~/ui/table-column'

import { optionalColumns, withColumns, withDensity } from './list-look'
import { afterPress, viewOf, withFilter, withoutFilters, withText } from './list-view'

afterEach(() => vi.restoreAllMocks())

const column = (id: string): Column<object> => ({ id, header: id, cell: () => id })
const columns = [
  { ...column('name'), isName: true },
  column('size'),
  { ...column('state'), value: () => 'on', filter: { choices: ['on', 'off'] } },
]

describe('viewOf', () => {
  it.each([
    ['nothing', {}, {}],
    [
      'some columns, in the order of the list',
      { columns: 'state,name' },
      { columns: 'name,state' },
    ],
    ['the name, which cannot be hidden', { columns: 'size' }, { columns: 'name,size' }],
    ['the name alone', { columns: 'name' }, { columns: 'name' }],
    ['columns that the list lacks', { columns: 'size,weight' }, { columns: 'name,size' }],
    ['none that it has', { columns: 'weight' }, {}],
    ['all of them', { columns: 'name,size,state' }, {}],
    ['a density', { density: 'compact' }, { density: 'compact' }],
    ['the usual density', { density: 'comfortable' }, {}],
    ['a column that sorts', { sort: '-state' }, { sort: '-state' }],
    ['one that cannot', { sort: 'size' }, {}],
    ['a text', { q: ' web ' }, { q: 'web' }],
    ['a text that is too long', { q: 'x'.repeat(200) }, { q: 'x'.repeat(128) }],
    ['chosen values', { filter: 'state:off,on,odd;size:1' }, { filter: 'state:on,off' }],
    ['none that there is', { filter: 'state:odd;;:;size' }, {}],
    ['what is no text', { columns: ['size'], density: 1 }, {}],
  ])('takes %s', (_, search, view) => {
    expect(viewOf(search, columns)).toEqual(view)
  })
})

it('hides what is not chosen, and keeps the density', () => {
  expect(withColumns({ density: 'compact' }, columns, new Set(['state']))).toEqual({
    columns: 'name,state',
    density: 'compact',
  })
  expect(withColumns({ columns: 'name' }, columns, new Set(['state', 'size']))).toEqual({})
})

it('changes the density, and keeps the columns', () => {
  expect(withDensity({ columns: 'name' }, true)).toEqual({ columns: 'name', density: 'compact' })
  expect(withDensity({ columns: 'name', density: 'compact' }, false)).toEqual({ columns: 'name' })
})

it('offers to hide all but the name, or the first column where none is the name', () => {
  expect(optionalColumns(columns).map(({ id }) => id)).toEqual(['size', 'state'])
  expect(optionalColumns(columns.slice(1)).map(({ id }) => id)).toEqual(['state'])
})

describe('columns that are usual on wide screens', () => {
  const wide = [...columns, { ...column('addresses'), usualFrom: 1800 }]

  it('are chosen on others, and hidden on these', () => {
    vi.spyOn(window, 'innerWidth', 'get').mockReturnValue(1799)
    expect(viewOf({ columns: 'name,size,state' }, wide)).toEqual({})
    expect(withColumns({}, wide, new Set(['size', 'state', 'addresses']))).toEqual({
      columns: 'name,size,state,addresses',
    })
    vi.spyOn(window, 'innerWidth', 'get').mockReturnValue(1800)
    expect(viewOf({ columns: 'name,size,state,addresses' }, wide)).toEqual({})
    expect(withColumns({}, wide, new Set(['size', 'state']))).toEqual({
      columns: 'name,size,state',
    })
  })
})

it('sorts by a header up, down, and not at all', () => {
  const up = afterPress({ q: 'web' }, 'name')
  expect(up).toEqual({ q: 'web', sort: 'name' })
  expect(afterPress(up, 'name')).toEqual({ q: 'web', sort: '-name' })
  expect(afterPress(afterPress(up, 'name'), 'name')).toEqual({ q: 'web' })
  expect(afterPress({ sort: '-name' }, 'state')).toEqual({ sort: 'state' })
})

it('searches and filters, and shows all again', () => {
  const view = withFilter(withText({ sort: 'name' }, 'web'), 'state', new Set(['on']))
  expect(view).toEqual({ sort: 'name', q: 'web', filter: 'state:on' })
  expect(withFilter(view, 'state', new Set())).toEqual({ sort: 'name', q: 'web' })
  expect(withoutFilters(view)).toEqual({ sort: 'name' })
  expect(withText(view, undefined)).toEqual({ sort: 'name', filter: 'state:on' })
})
