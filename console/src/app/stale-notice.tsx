import { WifiOff } from 'lucide-react'
import { useState } from 'react'

import { useStaleData } from '~/api/stale'
import { formatTime, momentInZones } from '~/lib/dates'
import * as common from '~/messages/common'
import * as text from '~/messages/shell'
import { Button } from '~/ui/button'
import { useMinimumDuration } from '~/ui/spinner'

/** A notice that the data on the screen could not be refreshed, with its time. The data stays visible. */
export function StaleNotice() {
  const { stale, retry } = useStaleData()
  const [isRunning, setRunning] = useState(false)
  const isRetrying = useMinimumDuration(isRunning)
  const tryAgain = async () => {
    if (isRetrying) return
    setRunning(true)
    await retry()
    setRunning(false)
  }
  return (
    <div role="status" aria-label={common.refreshLabel}>
      {stale && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-notice-border bg-notice-bg px-[var(--gutter)] py-1.5 text-sm text-notice-text">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          <p className="min-w-0 grow basis-60">
            {text.staleText(<Since value={new Date(stale.since)} />, stale.message)}
          </p>
          <Button
            needs={null}
            variant="secondary"
            size="sm"
            loading={isRetrying}
            onPress={() => void tryAgain()}
          >
            {common.tryAgainLabel}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Not `DateTime`, whose tooltip every screen would load. */
const Since = ({ value }: { value: Date }) => (
  <time dateTime={value.toISOString()} title={momentInZones(value).join('\n')} className="tabular">
    {formatTime(value)}
  </time>
)
