import { expect, it } from 'vitest'

import { columnMenuLabel } from './column-menu-label'

it.each([
  ['size', 'Size'],
  ['id', 'ID'],
  ['rack id', 'Rack ID'],
  ['private ip', 'Private IP'],
  ['vpc', 'VPC'],
  ['ids', 'IDs'],
  ['vCPUs', 'vCPUs'],
  ['Created', 'Created'],
  ['width', 'Width'],
])('writes %s as %s', (header, label) => {
  expect(columnMenuLabel({ id: 'x', header, cell: () => '' })).toBe(label)
})

it('names the group of a column first', () => {
  expect(
    columnMenuLabel({ id: 'x', header: 'part number', group: 'Baseboard', cell: () => '' }),
  ).toBe('Baseboard: part number')
})
