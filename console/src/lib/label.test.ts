import { expect, it } from 'vitest'

import { labelProblem } from './label'

it('counts characters, not what they are made of', () => {
  expect(labelProblem('🔑'.repeat(63))).toBeUndefined()
  expect(labelProblem('a'.repeat(64))).toBe('Must be 63 characters or fewer')
})
