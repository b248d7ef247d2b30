import { expect, it } from 'vitest'

import { alertReceiverBody, generateSecret, validateEndpoint } from './alert-receiver-form'

it.each([
  ['https://example.com/hook?x=1', undefined],
  ['http://192.0.2.1:8080', undefined],
  ['', 'Must be an address with http:// or https://'],
  ['example.com', 'Must be an address with http:// or https://'],
  ['ftp://example.com', 'Must be an address with http:// or https://'],
  ['https://ada:secret@example.com', 'Must not contain a user name or password'],
])('%s: %s', (endpoint, message) => {
  expect(validateEndpoint(endpoint)).toBe(message)
})

it('makes secrets that nobody guesses', () => {
  expect(generateSecret()).toMatch(/^[0-9a-f]{64}$/)
  expect(generateSecret()).not.toBe(generateSecret())
})

it('sends what was entered', () => {
  expect(
    alertReceiverBody({
      name: 'pager',
      description: '',
      endpoint: ' https://example.com ',
      secret: 's',
      subscriptions: ['**'],
    }),
  ).toEqual({
    name: 'pager',
    description: '',
    endpoint: 'https://example.com',
    secrets: ['s'],
    subscriptions: ['**'],
  })
})
