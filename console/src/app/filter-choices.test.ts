import { describe, expect, it, vi } from 'vitest'

import type { Column } from '~/ui/table-column'

import { choicesOf, MAX_CHOICES } from './filter-choices'
import { valueLabel } from './filter-values'
import { rowsOf } from './list-rows'
import { filtersOf, viewOf, withFilter } from './list-view'

interface Rule {
  name: string
  state: string
  tags: string[]
  pool?: string
  used?: Date
  address: string
  isOn: boolean
}

const now = new Date('2026-11-25T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

const rule = (name: string, state: string, more: Partial<Rule> = {}): Rule => ({
  name,
  state,
  tags: [],
  address: '10.0.0.1',
  isOn: false,
  ...more,
})

const rules = [
  rule('web', 'on', { tags: ['tcp', 'udp'], pool: 'pool-10', used: ago(0.5), isOn: true }),
  rule('db', 'off', { tags: ['tcp'], pool: 'pool-2', used: ago(30), address: 'fd00::1' }),
  rule('old', 'off', { pool: 'pool-2', used: ago(24 * 40) }),
  rule('new', 'on', { tags: ['a,b;c:d%'] }),
]

const column = (id: keyof Rule, more: Partial<Column<Rule>>): Column<Rule> => ({
  id,
  header: id,
  value: (row) => row[id],
  cell: () => null,
  ...more,
})

const columns = [
  column('name', {}),
  column('state', { filter: { choices: ['off', 'on', 'odd'] } }),
  column('tags', { filter: {} }),
  column('pool', { filter: {} }),
  column('used', { filter: { by: 'age' } }),
  column('address', { filter: { by: 'ipVersion' } }),
  column('isOn', { filter: { by: 'yesOrNo' } }),
]

const of = (id: string) => columns.find((each) => each.id === id) as Column<Rule>
const labels = (id: string, view = {}) =>
  choicesOf(of(id), columns, view, rules).choices.map(({ label, count }) => [label, count])
const shown = (filter: string) => rowsOf(rules, columns, { filter }).map(({ name }) => name)

describe('the values of a column by which a list can be filtered', () => {
  it('are those that rows have, with how many have each', () => {
    expect(labels('state')).toEqual([
      ['off', 2],
      ['on', 2],
    ])
    expect(labels('pool')).toEqual([
      ['pool-2', 2],
      ['pool-10', 1],
      ['none', 1],
    ])
    expect(labels('tags')).toEqual([
      ['a,b;c:d%', 1],
      ['tcp', 2],
      ['udp', 1],
      ['none', 1],
    ])
    expect(labels('address')).toEqual([
      ['IPv4', 3],
      ['IPv6', 1],
    ])
    expect(labels('isOn')).toEqual([
      ['yes', 1],
      ['no', 3],
    ])
  })

  it('are ages for times, of which one contains another', () => {
    vi.useFakeTimers({ now })
    expect(labels('used')).toEqual([
      ['last hour', 1],
      ['last 24 hours', 1],
      ['last 7 days', 2],
      ['last 30 days', 2],
      ['more than 30 days ago', 1],
      ['never', 1],
    ])
    expect(shown('used:week')).toEqual(['web', 'db'])
    expect(shown('used:older,never')).toEqual(['old', 'new'])
    vi.useRealTimers()
  })

  it('are counted among what everything else lets pass, and stay as long as they are chosen', () => {
    expect(labels('pool', { filter: 'state:off;pool:pool-9' })).toEqual([
      ['pool-2', 2],
      ['pool-9', 0],
      ['pool-10', 0],
      ['none', 0],
    ])
    expect(labels('state', { q: 'web', filter: 'state:off' })).toEqual([
      ['off', 0],
      ['on', 1],
    ])
  })

  it('are not counted where the rows are too many to know', () => {
    const { choices } = choicesOf(of('state'), columns, {}, undefined)
    expect(choices.map(({ label, count }) => [label, count])).toEqual([
      ['off', undefined],
      ['on', undefined],
      ['odd', undefined],
    ])
  })

  it('are the most frequent ones if there are many', () => {
    const many = Array.from({ length: 150 }, (_, index) =>
      rule(`rule-${index}`, 'on', { pool: `pool-${index % 120}` }),
    )
    const { choices, isCut } = choicesOf(of('pool'), columns, {}, many)
    expect(isCut).toBe(true)
    expect(choices).toHaveLength(MAX_CHOICES)
    expect(choices[0]).toMatchObject({ label: 'pool-0', count: 2 })
  })
})

it('filters by several texts, and by none', () => {
  expect(shown('tags:udp,-')).toEqual(['web', 'old'])
  expect(shown('pool:-')).toEqual(['new'])
  expect(shown('address:v6;state:off')).toEqual(['db'])
  expect(valueLabel(of('pool'), '-')).toBe('none')
})

it('keeps any value in a URL', () => {
  const view = withFilter({}, 'tags', new Set(['a,b;c:d%', 'tcp']))
  expect(view.filter).toBe('tags:a%2Cb%3Bc%3Ad%25,tcp')
  expect(viewOf(view, columns)).toEqual(view)
  expect(filtersOf(view).get('tags')).toEqual(new Set(['a,b;c:d%', 'tcp']))
  expect(filtersOf({ filter: 'tags:%zz' }).get('tags')).toEqual(new Set(['%zz']))
})
