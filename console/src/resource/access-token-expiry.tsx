import { useState } from 'react'

import * as text from '~/messages/access-token'
import { Badge } from '~/ui/badge'
import { DateTime } from '~/ui/date-time'

/** When a token expires: a time, "Never", or that it has expired. */
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
