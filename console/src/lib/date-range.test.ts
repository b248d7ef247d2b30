import { describe, expect, it } from 'vitest'

import { chooseRange, DATE_RANGE_CHOICES, presetRange, validateDateRange } from './date-range'

const now = new Date('2025-07-30T12:00:00Z')

describe('date ranges', () => {
  it.each([
    ['lastHour', '2025-07-30T11:00:00.000Z'],
    ['last3Hours', '2025-07-30T09:00:00.000Z'],
    ['lastDay', '2025-07-29T12:00:00.000Z'],
    ['lastWeek', '2025-07-23T12:00:00.000Z'],
    ['last30Days', '2025-06-30T12:00:00.000Z'],
  ] as const)('%s starts at %s and ends now', (preset, start) => {
    const range = presetRange(preset, now)
    expect(range.start.toISOString()).toBe(start)
    expect(range.end).toBe(now)
  })

  it('keep and freeze the shown range as custom', () => {
    const shown = presetRange('lastHour', now)
    const later = new Date(now.getTime() + 60_000)
    expect(chooseRange('custom', shown, later)).toEqual({ ...shown, preset: 'custom' })
    expect(chooseRange('lastHour', shown, later).end).toBe(later)
  })

  it('end no earlier than they start', () => {
    const { start, end } = presetRange('lastDay', now)
    expect(validateDateRange({ start, end })).toBeUndefined()
    expect(validateDateRange({ start, end: start })).toBeUndefined()
    expect(validateDateRange({ start: end, end: start })).toBe('Date range is invalid')
  })

  it('are offered in order', () => {
    expect(DATE_RANGE_CHOICES.map(({ label }) => label)).toEqual([
      'Last hour',
      'Last 3 hours',
      'Last day',
      'Last week',
      'Last 30 days',
      'Custom',
    ])
  })
})
