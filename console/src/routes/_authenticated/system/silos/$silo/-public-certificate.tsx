import * as text from '~/messages/identity-provider-screens'
import { certificatePem } from '~/resource/identity-provider-edit'
import { CopyButton } from '~/ui/copy-button'

interface PublicCertificateProps {
  /** The key that it is for. */
  which: 'current' | 'next'
  /** DER, encoded as base64. */
  value?: string | null
}

/** A certificate of Croft's own, for the provider's administrators. */
export function PublicCertificate({ which, value }: PublicCertificateProps) {
  const label = text.certificateLabel[which]
  const pem = value && certificatePem(value)
  return (
    <div className="flex max-w-lg flex-col gap-1.5">
      <div className="flex min-h-6 items-center justify-between gap-2 text-sm">
        <span className="font-medium">{label}</span>
        {pem ? (
          <CopyButton value={pem} label={text.copyCertificateLabel[which]} />
        ) : (
          <span className="text-fg-subtle">{text.noCertificateText}</span>
        )}
      </div>
      {pem && (
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard can scroll it
          tabIndex={0}
          role="region"
          aria-label={label}
          className="max-h-32 overflow-auto rounded-sm border border-line bg-sunken p-3 font-mono text-xs text-fg"
        >
          {pem}
        </pre>
      )}
    </div>
  )
}
