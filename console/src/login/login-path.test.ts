import { expect, it } from 'vitest'

import { readLoginPath } from './login-path'

it.each([
  ['/login', { type: 'chooser' }],
  ['/login/', { type: 'chooser' }],
  ['/login/main/local', { type: 'local', silo: 'main' }],
  ['/login/main/local/', { type: 'local', silo: 'main' }],
  ['/login/main/saml/corp', { type: 'provider', silo: 'main', provider: 'corp' }],
  ['/login/main/saml', { type: 'chooser' }],
  ['/login/main/local/corp', { type: 'chooser' }],
  ['/login/%E0%A4%A/local', { type: 'chooser' }],
])('%s', (pathname, path) => {
  expect(readLoginPath(pathname)).toEqual(path)
})
