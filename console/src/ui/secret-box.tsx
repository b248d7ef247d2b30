import type { ReactNode } from 'react'

import { CopyButton } from '~/ui/copy-button'

interface SecretBoxProps {
  value: string
  /** Accessible name of the button that copies it. */
  copyLabel: string
  /** How it is shown; as it is copied unless given. */
  children?: ReactNode
}

/** A secret that is shown this once, and the button that copies it. */
export function SecretBox({ value, copyLabel, children }: SecretBoxProps) {
  return (
    <div className="flex items-center justify-between gap-2 rounded-sm border border-line-strong bg-sunken py-2 pr-2 pl-3">
      <code className="min-w-0 font-mono text-sm wrap-anywhere text-fg select-all">
        {children ?? value}
      </code>
      <CopyButton value={value} label={copyLabel} />
    </div>
  )
}
