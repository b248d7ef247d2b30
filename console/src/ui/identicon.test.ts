import { expect, it } from 'vitest'

import { identiconCells } from '~/ui/identicon'

const names = Array.from({ length: 200 }, (_, index) => `silo-${index}`)

it('draws the same picture for the same name', () => {
  expect(identiconCells('maze-war')).toEqual(identiconCells('maze-war'))
  const picture = identiconCells('maze-war').map((cell) => (cell ? '#' : '.'))
  expect(picture.join('').match(/.{6}/g)).toMatchInlineSnapshot(`
    [
      "##..##",
      "#....#",
      ".#..#.",
    ]
  `)
})

it('mirrors every row, and never draws nothing', () => {
  for (const name of ['', 'ü', ...names]) {
    const cells = identiconCells(name)
    expect(cells).toHaveLength(18)
    expect(cells).toContain(true)
    for (const row of [cells.slice(0, 6), cells.slice(6, 12), cells.slice(12)]) {
      expect(row).toEqual(row.toReversed())
    }
  }
})

it('tells most names apart', () => {
  const pictures = new Set(names.map((name) => identiconCells(name).join()))
  expect(pictures.size).toBeGreaterThan(120)
})
