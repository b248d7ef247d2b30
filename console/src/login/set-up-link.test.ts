import { expect, it } from 'vitest'

import { readSetUpLink } from './set-up-link'

it('fills in what is behind the sign', () => {
  expect(readSetUpLink('#user=admin&password=four%2Dwords%26more')).toEqual({
    username: 'admin',
    password: 'four-words&more',
  })
})

it.each(['', '#', '#main', '#user=admin', '#user=&password=x'])(
  'fills in nothing for %o',
  (hash) => {
    expect(readSetUpLink(hash)).toBeUndefined()
  },
)
