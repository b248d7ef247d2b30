import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Tells assistive technology the new title after each navigation to another path, and keeps focus from falling out of the page. */
export function RouteAnnouncer() {
  const router = useRouter()
  const [message, setMessage] = useState('')

  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        if (!fromLocation || fromLocation.pathname === toLocation.pathname) return
        setMessage(document.title)
        // The link that was followed may be gone; the next Tab must not start again from the top bar.
        if (document.activeElement === document.body) document.getElementById('content')?.focus()
      }),
    [router],
  )

  return (
    <div aria-live="polite" aria-atomic="true" role="status" aria-label="Page" className="sr-only">
      {message}
    </div>
  )
}
