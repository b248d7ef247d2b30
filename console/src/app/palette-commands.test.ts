import { expect, it } from 'vitest'

import { paletteCommand } from './palette-commands'

it.each([
  ['stop db1', 'stop', 'db1'],
  ['  Restart   DB1 ', 'reboot', 'DB1'],
  ['serial db1', 'serial', 'db1'],
  ['console 10.0.0.5', 'serial', '10.0.0.5'],
])('%s: a verb and an instance', (typed, verb, text) => {
  expect(paletteCommand(typed)).toEqual({ type: 'instance', verb, text })
})

it.each([
  ['new disk in web', ['disk'], 'web'],
  ['new disk', ['disk'], ''],
  ['create vm in web-', ['instance'], 'web-'],
  ['new disk in', ['disk'], ''],
  ['new i', ['instance', 'image', 'floatingIp'], ''],
  ['upload image', ['image'], ''],
])('%s: something new in a project', (typed, kinds, project) => {
  expect(paletteCommand(typed)).toEqual({ type: 'new', kinds, project })
})

it.each(['stop', 'stopwatch', 'newsroom', 'new york', 'db1', '10.0.0.0/8', '', 'in web'])(
  '%s: a search',
  (typed) => {
    expect(paletteCommand(typed)).toEqual({ type: 'search', text: typed })
  },
)

it('offers everything new for "new" alone', () => {
  const command = paletteCommand('new')
  expect(command.type === 'new' && command.kinds.length).toBe(7)
})
