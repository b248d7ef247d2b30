import { expect, it } from 'vitest'

import { eventParser } from './message'

const change = (id: string) =>
  `id: ${id}\nevent: change\ndata: {"kind":"disk","id":"d${id}","parent":null,"silo":"s","project":"p","action":"changed","generation":2,"time":"2026-11-21T22:00:00Z"}\n\n`

const received = (id: string) => ({
  lastEventId: id,
  message: {
    type: 'change',
    change: { kind: 'disk', id: `d${id}`, parent: null, project: 'p' },
  },
})

it('reads changes, resets and heartbeats, each with the place in the stream', () => {
  const parse = eventParser()
  expect(
    parse(
      `retry: 2000\n\nid: 1\nevent: reset\ndata: {"reason":"started"}\n\n${change('2')}: still here\nid: 3\n\n`,
    ),
  ).toEqual([
    { message: { type: 'heartbeat' }, lastEventId: '' },
    { message: { type: 'reset', reason: 'started' }, lastEventId: '1' },
    received('2'),
    { message: { type: 'heartbeat' }, lastEventId: '3' },
  ])
})

it('puts together what comes in pieces, wherever they are cut', () => {
  const text = (change('4') + change('5')).replaceAll('\n', '\r\n')
  for (let cut = 0; cut <= text.length; cut += 1) {
    const parse = eventParser()
    const all = [...parse(text.slice(0, cut)), ...parse(text.slice(cut))]
    expect(all, `cut at ${cut}`).toEqual([received('4'), received('5')])
  }
})

it('ignores events that it does not know, but not their place', () => {
  const parse = eventParser()
  expect(parse('id: 7\nevent: weather\ndata: {"sunny":true}\n\n')).toEqual([])
  expect(parse(': ping\n\n')).toEqual([{ message: { type: 'heartbeat' }, lastEventId: '7' }])
})
