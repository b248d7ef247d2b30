import { formatTime } from '~/lib/dates'
import * as charts from '~/messages/charts'
import { MomentTip } from '~/ui/date-time'
import { RefreshButton } from '~/ui/refresh-button'

interface RefreshControlProps {
  /** When the data came, in milliseconds since the epoch. */
  updatedAt: number
  /** Fetches again; its end stops the button's spinning. */
  onRefresh: () => Promise<unknown> | undefined
  /** Why the data may be read at other times, too. */
  explanation?: string
}

/** When what is shown was read, and the button that reads it again. */
export function RefreshControl({ updatedAt, onRefresh, explanation }: RefreshControlProps) {
  const moment = new Date(updatedAt)
  const text = charts.updatedText(formatTime(moment))
  return (
    <>
      <MomentTip delay={150} moments={moment} caption={explanation}>
        <span
          role="img"
          aria-label={text}
          tabIndex={0}
          className="rounded-sm text-sm whitespace-nowrap text-fg-subtle tabular"
        >
          {text}
        </span>
      </MomentTip>
      <RefreshButton onRefresh={onRefresh} />
    </>
  )
}
