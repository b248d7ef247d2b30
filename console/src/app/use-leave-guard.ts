import { useBlocker } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'

import type { LeaveGuard } from '~/ui/form/full-page-form'

/**
 * Blocks navigation away from unsaved changes until the person has answered. Closing or reloading the tab is not blocked.
 *
 * `release` lets the next navigation happen at once: after a successful submission nothing is lost.
 */
export function useLeaveGuard(isDirty: boolean): LeaveGuard & { release: () => void } {
  const isReleased = useRef(false)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && !isReleased.current && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  })
  const release = useCallback(() => {
    isReleased.current = true
  }, [])
  return {
    isBlocked: status === 'blocked',
    stay: () => reset?.(),
    leave: () => proceed?.(),
    release,
  }
}
