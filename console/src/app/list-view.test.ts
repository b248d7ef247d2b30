import { afterEach, describe, expect, it, vi } from 'vitest'

import type { Column } from '~/ui/table-column'

import { optionalColumns, viewOf, withColumns, withDensity } from './list-view'

afterEach(() => vi.restoreAllMocks())

const column = (id: string): Column<object> => ({ id, header: id, cell: () => id })
const columns = [{ ...column('name'), isName: true }, column('size'), column('state')]

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
