import { formatTime } from '~/lib/dates'
import * as charts from '~/messages/charts'
import { RefreshButton } from '~/ui/refresh-button'
import { Tooltip } from '~/ui/tooltip'

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
  const text = charts.updatedText(formatTime(new Date(updatedAt)))
  const classes = 'rounded-sm text-sm whitespace-nowrap text-fg-subtle tabular'
  return (
    <>
      {explanation ? (
        <Tooltip delay={150} content={explanation}>
          <span role="img" aria-label={text} tabIndex={0} className={classes}>
            {text}
          </span>
        </Tooltip>
      ) : (
        <span className={classes}>{text}</span>
      )}
      <RefreshButton onRefresh={onRefresh} />
    </>
  )
}
