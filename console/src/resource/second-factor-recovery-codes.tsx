import { Copy, Download } from 'lucide-react'
import { useState } from 'react'

import { copyText } from '~/lib/clipboard'
import { saveText } from '~/lib/save-file'
import * as common from '~/messages/common'
import * as text from '~/messages/second-factor'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/form/checkbox-field'
import { Message } from '~/ui/message'

import { recoveryCodesFile } from './second-factor-form'
import type { RecoveryCodesOwner } from './second-factor-form'

export interface RecoveryCodesProps {
  codes: readonly string[]
  /** The user that the codes belong to. */
  owner: Omit<RecoveryCodesOwner, 'host'>
  /** The person has confirmed that the codes are saved. */
  isSaved: boolean
  onSavedChange: (isSaved: boolean) => void
}

/** Recovery codes, which are shown once, with buttons to copy and download them. */
export function RecoveryCodes({ codes, owner, isSaved, onSavedChange }: RecoveryCodesProps) {
  const [isCopied, setCopied] = useState(false)
  const download = () =>
    saveText(
      'croft-recovery-codes.txt',
      'text/plain',
      recoveryCodesFile(codes, { ...owner, host: window.location.host }, new Date()),
    )
  return (
    <div className="space-y-4">
      <p className="text-sm text-pretty">{text.recoveryCodesHelp}</p>
      <ul
        aria-label={text.recoveryCodesTitle}
        className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-sm border border-line-strong bg-sunken px-4 py-3"
      >
        {codes.map((code) => (
          <li key={code} className="font-mono text-sm whitespace-nowrap text-fg select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          needs={null}
          variant="secondary"
          size="sm"
          onPress={() => void copyText(codes.join('\n')).then(() => setCopied(true))}
        >
          <Copy aria-hidden="true" />
          {isCopied ? common.copiedLabel : common.copyLabel}
        </Button>
        <Button needs={null} variant="secondary" size="sm" onPress={download}>
          <Download aria-hidden="true" />
          {common.downloadLabel}
        </Button>
      </div>
      <Message tone="notice">{text.keepCodesHelp}</Message>
      <Checkbox isSelected={isSaved} onChange={onSavedChange}>
        {text.codesSavedLabel}
      </Checkbox>
    </div>
  )
}
