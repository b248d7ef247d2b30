import { certificatePem } from '~/resource/identity-provider-edit'
import { CopyButton } from '~/ui/copy-button'
import { TextBox } from '~/ui/text-box'

interface PublicCertificateProps {
  label: string
  /** DER in base 64. */
  value?: string | null
}

/** A certificate of Croft's own, for the provider's administrators. */
export function PublicCertificate({ label, value }: PublicCertificateProps) {
  const pem = value && certificatePem(value)
  return (
    <div className="flex max-w-lg flex-col gap-1.5">
      <div className="flex min-h-6 items-center justify-between gap-2 text-sm">
        <span className="font-medium">{label}</span>
        {pem ? (
          <CopyButton value={pem} label={`Copy ${label.toLowerCase()}`} />
        ) : (
          <span className="text-fg-subtle">None</span>
        )}
      </div>
      {pem && <TextBox label={label} text={pem} height="max-h-32" />}
    </div>
  )
}
