import { RefreshCw } from 'lucide-react'
import { useState } from 'react'

import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { useMinimumDuration } from '~/ui/spinner'

/**
 * Button "Refresh data" whose icon turns while the data is on its way, for at least half a second.
 *
 * @param onRefresh fetches again; its end stops the icon, whether it succeeded or not.
 */
export function RefreshButton({ onRefresh }: { onRefresh: () => Promise<unknown> | undefined }) {
  const [isRunning, setIsRunning] = useState(false)
  const isSpinning = useMinimumDuration(isRunning, 500)
  const refresh = async (): Promise<void> => {
    setIsRunning(true)
    try {
      await onRefresh()
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <Button
      needs={null}
      variant="secondary"
      size="icon"
      aria-label={common.refreshDataLabel}
      onPress={() => {
        if (!isSpinning) void refresh()
      }}
    >
      <RefreshCw aria-hidden="true" className={cn('size-4', isSpinning && 'animate-spin')} />
    </Button>
  )
}
