import * as text from '~/messages/months'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const DAYS_PER_MONTH = 30
const MONTHS_PER_YEAR = 12
const DAYS_PER_YEAR = 365

// Times are written in 24-hour time everywhere, in the order and with the words of the locale.
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const DAY_OF_YEAR = { month: 'short', day: 'numeric' } as const

/**
 * Distance between two moments in one unit, rounded down: `5s`, `3m`, `2h`, `4d`, `1mo`, `7mo`, `1y`. A month is 30
 * and a year 365 days. The direction does not show, so that a clock slightly ahead of the server's does no harm.
 */
export function timeAgoShort(moment: Date, now: Date): string {
  const distance = Math.abs(now.getTime() - moment.getTime())
  if (distance < MINUTE) return `${Math.floor(distance / SECOND)}s`
  if (distance < HOUR) return `${Math.floor(distance / MINUTE)}m`
  if (distance < DAY) return `${Math.floor(distance / HOUR)}h`
  const days = Math.floor(distance / DAY)
  if (days < DAYS_PER_MONTH) return `${days}d`
  if (days >= DAYS_PER_YEAR) return `${Math.floor(days / DAYS_PER_YEAR)}y`
  return `${Math.min(Math.floor(days / DAYS_PER_MONTH), MONTHS_PER_YEAR - 1)}mo`
}

/**
 * Milliseconds until {@link timeAgoShort} of a past moment may change, so that a display need not redraw more often.
 */
export function timeAgoRefreshDelay(moment: Date, now: Date): number {
  const distance = Math.abs(now.getTime() - moment.getTime())
  const unit = distance < MINUTE ? SECOND : distance < HOUR ? MINUTE : HOUR
  return unit - (distance % unit)
}

// Making the first formatter takes a browser some 10 ms, which a list of 50 rows feels. So the most usual locale does without.
const AMERICAN = 'en-US'

/** Whether dates and times can be written here, as {@link AMERICAN} does and in the browser's own time zone. */
const isPlain = (date: Date, locale: string | undefined, timeZone: string | undefined) =>
  timeZone === undefined &&
  (locale ?? globalThis.navigator?.language) === AMERICAN &&
  date.getFullYear() > 0

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** The date in the locale's medium form: `Feb 28, 2023`. */
export function formatDate(date: Date, locale?: string, timeZone?: string): string {
  if (isPlain(date, locale, timeZone)) {
    return `${text.monthLabel[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}`
  }
  return dateFormat(locale, { dateStyle: 'medium', timeZone }).format(date)
}

/** The time of day to the minute in 24-hour time: `00:00`. */
export function formatTime(date: Date, locale?: string, timeZone?: string): string {
  if (isPlain(date, locale, timeZone)) {
    return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
  }
  return dateFormat(locale, { ...CLOCK, timeZone }).format(date)
}

/** Date and time to the second with the zone: `Feb 28, 2023, 00:00:00 GMT+1`. */
export function formatMoment(date: Date, locale?: string, timeZone?: string): string {
  const options = { ...DAY_OF_YEAR, ...CLOCK, second: '2-digit', timeZoneName: 'short' } as const
  return plainSpaces(dateFormat(locale, { ...options, year: 'numeric', timeZone }).format(date))
}

/** The same moment in the time zone and in UTC, as explanations of times say it. One text if the zone is UTC itself. */
export function momentInZones(date: Date, locale?: string, timeZone?: string): string[] {
  const zones = [timeZone, 'UTC'].map((zone) => formatMoment(date, locale, zone))
  return [...new Set(zones)]
}

/** A range as short as the locale allows, in 24-hour time: `Feb 28, 10:00 – 13:00`. */
export function formatDateTimeRange(
  start: Date,
  end: Date,
  locale?: string,
  timeZone?: string,
): string {
  const options = { ...DAY_OF_YEAR, ...CLOCK, timeZone }
  return plainSpaces(dateFormat(locale, options).formatRange(start, end))
}

const formats = new Map<string, Intl.DateTimeFormat>()

function dateFormat(
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(locale, options)
    formats.set(key, format)
  }
  return format
}

// Engines put narrow and thin spaces around dashes; the monospace font has none of them.
function plainSpaces(text: string): string {
  return text.replace(/[\u2009\u202f]/g, ' ')
}
