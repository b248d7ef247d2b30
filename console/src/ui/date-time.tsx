import { useEffect, useState } from 'react'

import {
  formatDate,
  formatDateTime,
  formatTime,
  timeAgoRefreshDelay,
  timeAgoShort,
} from '~/lib/dates'
import { Tooltip } from '~/ui/tooltip'

/** Date and, dimmer, time in the browser's locale. */
export function DateTime({ value }: { value: Date }) {
  return (
    <time dateTime={value.toISOString()} className="whitespace-nowrap tabular">
      <span>{formatDate(value)}</span> <span className="text-fg-subtle">{formatTime(value)}</span>
    </time>
  )
}

/**
 * Distance to now, as in "3m"; the exact time is in the tooltip.
 *
 * @param caption what happened then, for the tooltip.
 */
export function TimeAgo({ value, caption }: { value: Date; caption?: string }) {
  const now = useNowFor(value)
  const exact = formatDateTime(value)
  const distance = timeAgoShort(value, now)
  return (
    <Tooltip content={caption ? `${caption} ${exact}` : exact}>
      <time
        dateTime={value.toISOString()}
        role="img"
        aria-label={distance}
        tabIndex={0}
        className="rounded-sm whitespace-nowrap tabular"
      >
        {distance}
      </time>
    </Tooltip>
  )
}

/** The current time, renewed whenever the distance to `moment` reads differently. */
function useNowFor(moment: Date): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setTimeout(() => setNow(new Date()), timeAgoRefreshDelay(moment, new Date()))
    return () => clearTimeout(timer)
  }, [moment, now])
  return now
}
