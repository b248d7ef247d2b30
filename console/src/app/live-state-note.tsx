import type { LiveState } from '~/api/live/state'
import * as messages from '~/messages/shell'
import { cn } from '~/ui/class-names'
import { Tooltip } from '~/ui/tooltip'

const STYLES = {
  live: {
    label: messages.liveLabel,
    text: messages.liveHelp,
    dot: 'bg-success-solid',
  },
  polling: {
    label: messages.pollingLabel,
    text: messages.pollingHelp,
    dot: 'border-[1.5px] border-notice-solid',
  },
  offline: {
    label: messages.offlineLabel,
    text: messages.offlineHelp,
    dot: 'bg-danger-solid',
  },
}

/** A dot that shows the state, with an explanation on hover and focus. */
export function LiveStateNote({ state }: { state: Exclude<LiveState, 'starting'> }) {
  const { label, text, dot } = STYLES[state]
  return (
    <Tooltip
      content={
        <>
          <b className="font-medium">{label}.</b> {text}
        </>
      }
    >
      {state === 'offline' ? (
        <span
          role="status"
          tabIndex={0}
          data-testid="live-state"
          className="inline-flex h-6 shrink-0 items-center gap-1.5 rounded-sm px-1.5 text-xs font-medium text-fg"
        >
          <span aria-hidden="true" className={cn('size-2 rounded-full', dot)} />
          {label}
        </span>
      ) : (
        <span
          role="img"
          aria-label={label}
          tabIndex={0}
          data-testid="live-state"
          className="inline-flex size-6 shrink-0 items-center justify-center rounded-sm"
        >
          <span aria-hidden="true" className={cn('size-2 rounded-full', dot)} />
        </span>
      )}
    </Tooltip>
  )
}
