import { expect, it } from 'vitest'

import { linePath } from './sparkline'

it('goes from 0 at the bottom to 100 at the top', () => {
  expect(linePath([0, 100, 50])).toBe('M0.0 20.0L44.0 0.0L88.0 10.0')
})

it('leaves gaps, and shows what is alone between two of them as a dot', () => {
  expect(linePath([null, 50, null, 0, 0])).toBe('M22.0 10.0h0M66.0 20.0L88.0 20.0')
})
