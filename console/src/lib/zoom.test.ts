import { expect, it } from 'vitest'

import { zoomIn, zoomOut } from './zoom'

const at = (clock: string) => new Date(`2026-03-04T${clock}Z`)
const span = (start: string, end: string) => ({ start: at(start), end: at(end) })
const now = at('14:00:00')

it('zooms to what was selected, in either direction', () => {
  const wanted = { preset: 'custom', ...span('13:10:00', '13:20:00') }
  expect(zoomIn(span('13:10:00', '13:20:00'), now)).toEqual(wanted)
  expect(zoomIn(span('13:20:00', '13:10:00'), now)).toEqual(wanted)
})

it('shows a minute at least', () => {
  expect(zoomIn(span('13:10:00', '13:10:10'), now)).toMatchObject(span('13:09:35', '13:10:35'))
})

it('zooms out to twice the length, never beyond now', () => {
  expect(zoomOut(span('12:00:00', '12:20:00'), now)).toMatchObject(span('11:50:00', '12:30:00'))
  expect(zoomOut(span('13:00:00', '14:00:00'), now)).toMatchObject(span('12:00:00', '14:00:00'))
})

it('ends at 30 days', () => {
  const start = new Date('2026-02-10T14:00:00Z')
  const out = zoomOut({ start, end: now }, now)
  expect(out).toMatchObject({ start: new Date('2026-02-02T14:00:00Z'), end: now })
  expect(out && zoomOut(out, now)).toBeUndefined()
})
