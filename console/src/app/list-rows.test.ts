import { describe, expect, it } from 'vitest'

import type { Column } from '~/ui/table-column'

import { naturalKey, rowsOf } from './list-rows'
import type { ListView } from './list-view'

interface Disk {
  id: string
  name: string
  size: number
  state: string
  created: Date
  attached?: string
}

const disk = (name: string, size: number, state: string, attached?: string): Disk => ({
  id: `id-of-${name}`,
  name,
  size,
  state,
  attached,
  created: new Date(2026, 0, size),
})

const disks = [
  disk('disk-10', 3, 'attached', 'db-2'),
  disk('disk-2', 20, 'detached'),
  disk('Data', 1, 'attached', 'db-10'),
  disk('disk-1', 100, 'faulted'),
]

const columns: Column<Disk>[] = [
  { id: 'name', header: 'name', isName: true, cell: ({ name }) => name },
  { id: 'size', header: 'size', value: ({ size }) => size, cell: () => null },
  {
    id: 'state',
    header: 'state',
    filter: { choices: ['attached', 'detached', 'faulted'] },
    value: ({ state }) => state,
    cell: () => null,
  },
  { id: 'attached', header: 'attached', value: ({ attached }) => attached, cell: () => null },
  { id: 'created', header: 'created', value: ({ created }) => created, cell: () => null },
]

const shown = (view: ListView) => rowsOf(disks, columns, view).map(({ name }) => name)

describe('rowsOf', () => {
  it.each<[string, ListView, string[]]>([
    ['all as they are', {}, ['disk-10', 'disk-2', 'Data', 'disk-1']],
    ['names in natural order', { sort: 'name' }, ['Data', 'disk-1', 'disk-2', 'disk-10']],
    ['names the other way round', { sort: '-name' }, ['disk-10', 'disk-2', 'disk-1', 'Data']],
    ['numbers by value', { sort: 'size' }, ['Data', 'disk-10', 'disk-2', 'disk-1']],
    ['times', { sort: '-created' }, ['disk-1', 'disk-2', 'disk-10', 'Data']],
    ['nothing after something', { sort: 'attached' }, ['disk-10', 'Data', 'disk-2', 'disk-1']],
    ['that both ways', { sort: '-attached' }, ['Data', 'disk-10', 'disk-2', 'disk-1']],
    ['parts of names', { q: 'SK-1' }, ['disk-10', 'disk-1']],
    ['what other columns say', { q: 'db-1' }, ['Data']],
    ['ids', { q: 'id-of-disk-2' }, ['disk-2']],
    ['each of several words', { q: 'disk  attached' }, ['disk-10']],
    ['no words of two fields as one', { q: 'disk-2 2' }, ['disk-2']],
    ['signs as they are', { q: '.*' }, []],
    ['chosen values', { filter: 'state:attached,faulted' }, ['disk-10', 'Data', 'disk-1']],
    [
      'all at once',
      { q: 'disk', filter: 'state:attached,faulted', sort: 'name' },
      ['disk-1', 'disk-10'],
    ],
  ])('shows %s', (_, view, expected) => {
    expect(shown(view)).toEqual(expected)
  })

  it('gives the rows themselves, so that none is rendered again', () => {
    expect(new Set(rowsOf(disks, columns, { sort: 'name' }))).toEqual(new Set(disks))
  })
})

it('has keys in the order of the server', () => {
  // As the test of `natural_key` in crates/store/src/search/natural.rs.
  const names =
    ' - 0 1 2 002 10 disk disk-0 disk-00 disk-1 disk-1-a disk-1a disk-2 disk-02 Disk-2-a disk-10 disk-99999999999999999999 disk-100000000000000000000 disk-a diska e ä'.split(
      ' ',
    )
  const keys = names.map((name) => naturalKey(name))
  expect(keys.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(keys)
  expect(new Set(keys).size).toBe(keys.length)
})
