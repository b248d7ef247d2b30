import { expect, it } from 'vitest'

import { matchesPattern, validatePattern } from './alert-pattern'

const classes = ['probe', 'instance.failed', 'disk.faulted', 'test.foo.bar']

it.each([
  ['instance.failed', undefined],
  ['*', undefined],
  ['**', undefined],
  ['test.**', undefined],
  ['test.*.bar', undefined],
  ['', 'Subscription is required'],
  ['probe', 'Probes are sent only on request and cannot be subscribed to'],
])('%s: %s', (pattern, message) => {
  expect(validatePattern(pattern, classes)).toBe(message)
})

it.each(['foo*', 'test..bar', 'test.', '.test', 'test.ba-r', '***'])(
  '%s has no meaning',
  (text) => {
    expect(validatePattern(text, classes)).toMatch(/^Must be segments/)
  },
)

it('knows all classes, once it has heard of them', () => {
  expect(validatePattern('instance.fialed', classes)).toMatch(/^No such alert class/)
  expect(validatePattern('instance.fialed', [])).toBeUndefined()
})

it.each([
  ['instance.failed', ['instance.failed']],
  ['*.*', ['instance.failed', 'disk.faulted']],
  ['*', []],
  ['**', ['instance.failed', 'disk.faulted', 'test.foo.bar']],
  ['test.**', ['test.foo.bar']],
  ['test.*', []],
  ['**.bar', ['test.foo.bar']],
  ['instance_failed', []],
])('%s covers %s', (pattern, covered) => {
  expect(classes.filter((name) => matchesPattern(pattern, name))).toEqual(covered)
})
