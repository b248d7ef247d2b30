import { describe, expect, it } from 'vitest'

import {
  formatDate,
  formatDateTimeRange,
  formatMoment,
  formatTime,
  momentInZones,
  timeAgoRefreshDelay,
  timeAgoShort,
} from './dates'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const now = new Date('2025-07-30T12:00:00Z')
const before = (distance: number): Date => new Date(now.getTime() - distance)

describe('timeAgoShort', () => {
  it.each([
    [0, '0s'],
    [5 * SECOND, '5s'],
    [MINUTE - 1, '59s'],
    [MINUTE, '1m'],
    [3.9 * MINUTE, '3m'],
    [HOUR - 1, '59m'],
    [2 * HOUR, '2h'],
    [DAY - 1, '23h'],
    [4 * DAY, '4d'],
    [30 * DAY - 1, '29d'],
    [30 * DAY, '1mo'],
    [7 * 30 * DAY, '7mo'],
    [364 * DAY, '11mo'],
    [365 * DAY, '1y'],
    [800 * DAY, '2y'],
  ])('shows %d ms as %s', (distance, text) => {
    expect(timeAgoShort(before(distance), now)).toBe(text)
  })

  it('does not show the direction', () => {
    expect(timeAgoShort(before(-3 * HOUR), now)).toBe('3h')
  })

  it('changes no earlier than its refresh delay says', () => {
    for (let distance = 1; distance < 60 * DAY; distance = Math.ceil(distance * 1.7)) {
      const moment = before(distance)
      const delay = timeAgoRefreshDelay(moment, now)
      expect(delay).toBeGreaterThan(0)
      const justBefore = new Date(now.getTime() + delay - 1)
      expect(timeAgoShort(moment, justBefore)).toBe(timeAgoShort(moment, now))
    }
  })
})

describe('formatting', () => {
  const midnight = new Date('2023-02-28T00:00:00Z')

  it('follows the locale, in 24-hour time', () => {
    const afternoon = new Date('2023-02-28T13:05:00Z')
    expect(formatDate(midnight, 'en-US', 'UTC')).toBe('Feb 28, 2023')
    expect(formatTime(midnight, 'en-US', 'UTC')).toBe('00:00')
    expect(formatTime(afternoon, 'en-US', 'UTC')).toBe('13:05')
    expect(formatDate(midnight, 'de-DE', 'UTC')).toBe('28.02.2023')
    expect(formatTime(afternoon, 'de-DE', 'UTC')).toBe('13:05')
  })

  it('writes the most usual locale as Intl does', () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const days = ['-000001-03-01', '0999-01-09', '1970-01-01', '2024-12-31', '+012026-07-04']
    const times = ['00:00:59.999', '09:05:00', '23:59:59']
    for (const text of days.flatMap((day) => times.map((time) => `${day}T${time}Z`))) {
      const date = new Date(text)
      expect(formatDate(date, 'en-US')).toBe(formatDate(date, 'en-US', timeZone))
      expect(formatTime(date, 'en-US')).toBe(formatTime(date, 'en-US', timeZone))
    }
  })

  it('names the zone in the full form', () => {
    expect(formatMoment(midnight, 'en-US', 'UTC')).toBe('Feb 28, 2023, 00:00:00 UTC')
    expect(formatMoment(midnight, 'en-GB', 'Europe/Berlin')).toBe('28 Feb 2023, 01:00:00 CET')
  })

  it('says a moment in the zone and in UTC, once if that is the same', () => {
    expect(momentInZones(midnight, 'en-US', 'Asia/Kolkata')).toEqual([
      'Feb 28, 2023, 05:30:00 GMT+5:30',
      'Feb 28, 2023, 00:00:00 UTC',
    ])
    expect(momentInZones(midnight, 'en-US', 'UTC')).toEqual(['Feb 28, 2023, 00:00:00 UTC'])
  })

  it('writes a range in 24-hour time without repeating the day', () => {
    const end = new Date('2023-02-28T13:30:00Z')
    expect(formatDateTimeRange(midnight, end, 'en-US', 'UTC')).toBe('Feb 28, 00:00 – 13:30')
  })
})
