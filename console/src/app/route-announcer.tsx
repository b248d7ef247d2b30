import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import * as text from '~/messages/shell'

import { focusNewScreen, mainHeading } from './focus-new-screen'

/** After each navigation to another path: tells assistive technology the new title, and takes the focus to the new screen. */
export function RouteAnnouncer() {
  const router = useRouter()
  const [message, setMessage] = useState('')

  useEffect(() => {
    let before = mainHeading()
    const stops = [
      router.subscribe('onBeforeLoad', () => {
        before = mainHeading()
      }),
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        if (!fromLocation || fromLocation.pathname === toLocation.pathname) return
        setMessage(document.title)
        focusNewScreen(before)
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }, [router])

  return (
    <div
      aria-live="polite"
      aria-atomic="true"
      role="status"
      aria-label={text.pageLabel}
      className="sr-only"
    >
      {message}
    </div>
  )
}
