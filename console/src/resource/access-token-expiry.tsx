import { useState } from 'react'

import * as text from '~/messages/access-token'
import { Badge } from '~/ui/badge'
import { DateTime } from '~/ui/date-time'

/** Until when a token is good: a time, "Never", or the fact that it no longer is. */
export function AccessTokenExpiry({ at }: { at?: Date | null }) {
  const [now] = useState(() => new Date())
  if (!at) return text.neverExpiresLabel
  if (at > now) return <DateTime value={at} />
  return (
    <span className="inline-flex items-center gap-2">
      <DateTime value={at} />
      <Badge tone="neutral">{text.expiredLabel}</Badge>
    </span>
  )
}
