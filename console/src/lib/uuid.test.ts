import { expect, it } from 'vitest'

import { isUuid } from './uuid'

it.each([
  ['c2519937-44a4-493b-9b38-5c337c597d08', true],
  ['C2519937-44A4-493B-9B38-5C337C597D08', false],
  ['c2519937-44a4-493b-9b38-5c337c597d0', false],
  ['c251993744a4493b9b385c337c597d08', false],
  [' c2519937-44a4-493b-9b38-5c337c597d08', false],
  ['', false],
])('%s is an id: %s', (text, expected) => {
  expect(isUuid(text)).toBe(expected)
})
