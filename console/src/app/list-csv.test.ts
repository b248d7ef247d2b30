import { afterEach, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { saveText } from '~/lib/save-file'
import type { Column } from '~/ui/table-column'

import { listCsv, saveCsv } from './list-csv'

vi.mock('~/lib/save-file', () => ({ saveText: vi.fn<typeof saveText>() }))

interface Disk {
  name: string
  size: number
  made: Date
  labels: string[]
  instance?: string
}

const disk = (name: string, more: Partial<Disk> = {}): Disk => ({
  name,
  size: 2 ** 31,
  made: new Date('2026-11-25T10:30:00.5+02:00'),
  labels: ['a', 'b'],
  ...more,
})

const name: Column<Disk> = { id: 'name', header: 'name', isName: true, cell: (row) => row.name }
const columns: Column<Disk>[] = [
  name,
  { id: 'size', header: 'size', value: ({ size }) => size, cell: () => '2 GiB' },
  { id: 'made', header: 'made', group: 'Times', value: ({ made }) => made, cell: () => null },
  { id: 'labels', header: 'labels', value: ({ labels }) => labels, cell: () => null },
  { id: 'on', header: 'on', value: ({ instance }) => instance, cell: () => null },
  { id: 'chart', header: 'chart', cell: () => null },
]

afterEach(() => vi.useRealTimers())

it('has the exact values of the columns that have one', () => {
  expect(listCsv(columns, [disk('one'), disk('two', { instance: 'db', labels: [] })])).toBe(
    [
      'name,size,Times: made,labels,on',
      'one,2147483648,2026-11-25T08:30:00.500Z,a b,',
      'two,2147483648,2026-11-25T08:30:00.500Z,,db',
      '',
    ].join('\r\n'),
  )
})

it('has nothing that a spreadsheet would calculate', () => {
  expect(listCsv([name], [disk('=1+1'), disk('say "hi", there')])).toBe(
    `name\r\n'=1+1\r\n"say ""hi"", there"\r\n`,
  )
})

it('has the labels of the rows where their column is shown', async () => {
  configureTransport({
    host: '',
    fetch: () =>
      Promise.resolve(
        Response.json({
          items: [
            {
              kind: 'disk',
              id: 'd1',
              revision: 1,
              labels: [
                { key: 'env', value: 'prod' },
                { key: 'tier', value: '' },
              ],
            },
          ],
        }),
      ),
  })
  const operation = { name: 'diskList', method: 'GET', path: '/v1/disks' }
  const labels = { kind: 'disk', project: 'web', path: '/projects/web/disks' }
  const items = ['d1', 'd2'].map((id) => ({ ...disk(id), id }))
  const shown = [name, { id: 'labels', header: 'Labels', cell: () => null }]
  await saveCsv(shown, { items, list: { operation } as never, place: 'web', labels })
  expect(vi.mocked(saveText).mock.lastCall?.[2]).toBe('name,Labels\r\nd1,env=prod tier=\r\nd2,\r\n')
})

it.each([
  ['/v1/disks', 'web', 'disks-web-2026-11-25.csv'],
  ['/v1/vpc-subnets', { project: 'web', vpc: 'default' }, 'vpc-subnets-web-default-2026-11-25.csv'],
  ['/v1/system/silos/{silo}/ip-pools', { name: 'home', id: '7' }, 'ip-pools-home-2026-11-25.csv'],
  ['/v1/system/ip-pools/{pool}', undefined, 'ip-pools-2026-11-25.csv'],
  ['/experimental/v1/search', { q: '../a b/' }, 'search-..-a-b--2026-11-25.csv'],
])('names the file after what it lists: %s', async (path, place, file) => {
  vi.useFakeTimers({ now: new Date('2026-11-25T23:59:00Z') })
  const operation = { name: 'diskList', method: 'GET', path }
  await saveCsv([name], { items: [disk('one')], list: { operation } as never, place })
  expect(saveText).toHaveBeenCalledWith(file, 'text/csv', 'name\r\none\r\n')
})
