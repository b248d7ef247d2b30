import type { AuditLogEntryResult } from '~/api/generated/types.gen'
import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'

import { resultText } from './audit-log'

const TONES: Record<AuditLogEntryResult['kind'], BadgeTone> = {
  success: 'accent',
  error: 'danger',
  unknown: 'neutral',
}

/** The result of an operation: its kind and the HTTP status. */
export const AuditResultBadge = ({ result }: { result: AuditLogEntryResult }) => (
  <Badge tone={TONES[result.kind]}>
    {result.kind === 'unknown' ? 'unknown' : `${result.kind} ${resultText(result)}`}
  </Badge>
)
