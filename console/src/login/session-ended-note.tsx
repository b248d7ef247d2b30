import { useState } from 'react'

import { dropStaleDrafts, hasDraftAt } from '~/lib/draft-storage'
import { SIGNED_IN_KEY } from '~/lib/storage-keys'
import * as text from '~/messages/login'

import { redirectTarget } from './redirect-target'

/** Says that the session has ended, to somebody whom that took away from a screen, and whether something entered there is kept. */
export function SessionEndedNote() {
  const [note] = useState(sessionEndedText)
  if (!note) return null
  return (
    <p
      role="status"
      className="mb-6 rounded-md border border-notice-border bg-notice-bg px-3 py-2.5 text-sm text-pretty text-notice-text"
    >
      {note}
    </p>
  )
}

function sessionEndedText(): string | undefined {
  const { search, origin } = window.location
  dropStaleDrafts()
  const isSentHere = new URLSearchParams(search).has('redirect_uri')
  if (!isSentHere || !sessionStorage.getItem(SIGNED_IN_KEY)) return undefined
  const { pathname } = new URL(redirectTarget(search, origin), origin)
  return hasDraftAt(pathname) ? text.sessionEndedDraftText : text.sessionEndedText
}
