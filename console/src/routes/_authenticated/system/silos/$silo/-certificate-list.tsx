import { useState } from 'react'

import type { CertificateInfo } from '~/api/generated/types.gen'
import * as text from '~/messages/identity-provider-screens'
import { certificateState, fingerprint } from '~/resource/identity-provider-edit'
import { Badge } from '~/ui/badge'
import { CopyButton } from '~/ui/copy-button'
import { DateOnly } from '~/ui/date-time'

/** The certificates whose keys may sign a provider's responses. */
export function CertificateList({ certificates }: { certificates: readonly CertificateInfo[] }) {
  return (
    <ul
      aria-label={text.signingCertificatesLabel}
      className="max-w-lg divide-y divide-line rounded-md border border-line"
    >
      {certificates.map((certificate) => (
        <Certificate key={certificate.sha256} {...certificate} />
      ))}
    </ul>
  )
}

function Certificate({ sha256, subject, timeNotAfter, fromOldMetadata }: CertificateInfo) {
  const [now] = useState(() => new Date())
  const state = certificateState(timeNotAfter, now)
  return (
    <li className="flex flex-col gap-1 px-4 py-2.5 text-sm">
      <span className="break-words">{subject}</span>
      <span className="flex flex-wrap items-center gap-2 text-fg-muted">
        {text.validUntilText(<DateOnly value={timeNotAfter} />)}
        {state === 'expired' && <Badge tone="danger">{text.expiredLabel}</Badge>}
        {state === 'expiring' && <Badge tone="notice">{text.expiresSoonLabel}</Badge>}
        {fromOldMetadata && <Badge tone="neutral">{text.oldMetadataLabel}</Badge>}
      </span>
      <span className="flex items-start justify-between gap-2 text-xs text-fg-muted">
        <span className="min-w-0 py-1">
          {text.fingerprintText(
            <code className="font-mono wrap-anywhere">{fingerprint(sha256)}</code>,
          )}
        </span>
        <CopyButton value={fingerprint(sha256)} label={text.copyFingerprintLabel} />
      </span>
    </li>
  )
}
