import { describe, expect, it } from 'vitest'

import { roleFacts, roleProblem, roleText } from './trust-root'

describe('roleFacts', () => {
  it('reads what a list shows', () => {
    const signed = {
      version: 3,
      expires: '2100-01-01T00:00:00Z',
      roles: { root: { keyids: ['a', 'b'], threshold: 2 } },
    }
    expect(roleFacts({ rootRole: { signed } })).toEqual({
      version: 3,
      expires: new Date('2100-01-01T00:00:00Z'),
      keys: 2,
      threshold: 2,
    })
  })

  it.each([undefined, 'text', {}, { signed: { expires: 'soon', roles: 1 } }])(
    'finds nothing in %j',
    (rootRole) => {
      expect(roleFacts({ rootRole })).toEqual({
        version: undefined,
        expires: undefined,
        keys: undefined,
        threshold: undefined,
      })
    },
  )
})

it('a role is shown in the names that were signed', () => {
  expect(roleText('{"id":"i","root_role":{"signed":{"spec_version":"1.0.0"}}}')).toBe(
    '{\n  "signed": {\n    "spec_version": "1.0.0"\n  }\n}',
  )
})

it('a text that is no JSON is refused at once', () => {
  expect(roleProblem('{"signed"')).toBe('Must be JSON')
  expect(roleProblem('{}')).toBeUndefined()
})
