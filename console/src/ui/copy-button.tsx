import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

import { copyText } from '~/lib/clipboard'
import * as common from '~/messages/common'
import { Button } from '~/ui/button'

const CONFIRMATION_MS = 2000

/**
 * Small button that copies a value and confirms it for two seconds.
 *
 * @param label accessible name before copying.
 */
export function CopyButton({
  value,
  label = common.clickToCopyLabel,
}: {
  value: string
  label?: string
}) {
  const [copies, setCopies] = useState(0)
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (copies === 0) return undefined
    setIsCopied(true)
    const timer = setTimeout(() => setIsCopied(false), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [copies])
  const Icon = isCopied ? Check : Copy
  return (
    <Button
      needs={null}
      variant="ghost"
      size="icon"
      aria-label={isCopied ? common.copiedLabel : label}
      className="size-6"
      onPress={() => void copyText(value).then(() => setCopies((count) => count + 1))}
    >
      <Icon aria-hidden="true" className={isCopied ? 'size-3.5 text-success-text' : 'size-3.5'} />
    </Button>
  )
}

/** A short value such as an address, to copy. */
export const CopyableCode = ({ value }: { value: string }) => (
  <span className="inline-flex items-center gap-1 font-mono text-xs">
    {value} <CopyButton value={value} />
  </span>
)
