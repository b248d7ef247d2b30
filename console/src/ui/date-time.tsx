import { useEffect, useState, type ReactElement, type ReactNode } from 'react'

import {
  formatDate,
  formatMoment,
  formatTime,
  momentInZones,
  timeAgoRefreshDelay,
  timeAgoShort,
} from '~/lib/dates'
import { Tooltip } from '~/ui/tooltip'

interface MomentTipProps {
  /** The moments that are shown, one or the two ends of a range. */
  moments: Date | readonly Date[]
  /** What stands above them: what happened then. */
  caption?: ReactNode
  /** Before it opens under the pointer, in milliseconds. */
  delay?: number
  /** The element that shows the time; it can take the focus. */
  children: ReactElement
}

/** Explains a time that is shown: the moment to the second with its zone, and the same in UTC. */
export const MomentTip = ({ moments, caption, delay, children }: MomentTipProps) => (
  <Tooltip delay={delay} content={<ExactMoments moments={[moments].flat()} caption={caption} />}>
    {children}
  </Tooltip>
)

const ExactMoments = ({ moments, caption }: { moments: Date[]; caption?: ReactNode }) => (
  <>
    {caption != null && <span className="block">{caption} </span>}
    {moments
      .flatMap((moment) => momentInZones(moment))
      .map((text) => (
        <span key={text} className="block tabular">
          {text}{' '}
        </span>
      ))}
  </>
)

/** Attributes of the element that shows a moment. It takes the focus for the sake of its tooltip. */
const timeProps = (value: Date, label: string) => ({
  dateTime: value.toISOString(),
  role: 'img',
  'aria-label': label,
  tabIndex: 0,
  className: 'rounded-sm whitespace-nowrap tabular',
})

/**
 * Date and time in the browser's locale, the time dimmer than the date.
 *
 * @param isOnTint whether it stands on a tinted ground, on which a dimmer text has too little contrast.
 */
export function DateTime({ value, isOnTint = false }: { value: Date; isOnTint?: boolean }) {
  const [date, time] = [formatDate(value), formatTime(value)]
  return (
    <MomentTip moments={value}>
      <time {...timeProps(value, `${date} ${time}`)}>
        <span>{date}</span> <span className={isOnTint ? undefined : 'text-fg-subtle'}>{time}</span>
      </time>
    </MomentTip>
  )
}

/** A moment in one way of writing it. */
function MomentText({ value, text, caption }: { value: Date; text: string; caption?: string }) {
  return (
    <MomentTip moments={value} caption={caption}>
      <time {...timeProps(value, text)}>{text}</time>
    </MomentTip>
  )
}

/** A date without its time, such as the last day of a certificate. */
export const DateOnly = ({ value }: { value: Date }) => (
  <MomentText value={value} text={formatDate(value)} />
)

/** Date and time to the second with the zone. */
export const ExactTime = ({ value }: { value: Date }) => (
  <MomentText value={value} text={formatMoment(value)} />
)

/**
 * Distance to now, as in "3m"; the exact time is in the tooltip.
 *
 * @param caption what happened then, for the tooltip.
 */
export function TimeAgo({ value, caption }: { value: Date; caption?: string }) {
  const now = useNowFor(value)
  return <MomentText value={value} text={timeAgoShort(value, now)} caption={caption} />
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
