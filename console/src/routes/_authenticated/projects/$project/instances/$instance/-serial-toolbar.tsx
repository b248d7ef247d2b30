import { ClipboardPaste, Download, Search, WrapText } from 'lucide-react'
import { useState } from 'react'

import { instanceSerialConsole, instanceSerialConsoleStream } from '~/api/generated/operations'
import { formatInteger } from '~/lib/numbers'
import { saveText } from '~/lib/save-file'
import * as text from '~/messages/serial-console-screens'
import { toast } from '~/ui/toast'

import { Tool } from './-console-tool'
import { readAll } from './-serial-history'
import type { ReadHistory } from './-serial-history'
import { logText } from './-serial-log'
import { pasteClipboard } from './-serial-paste'

interface SerialToolbarProps {
  /** Name of the instance, for the file. */
  instance: string
  read: ReadHistory
  /** Whether there is a log to read and a console to type into. */
  canConnect: boolean
  isConnected: boolean
  isWrapping: boolean
  onSearch: () => void
  onWrap: (isWrapping: boolean) => void
  /** Sends a text to the guest. */
  onPaste: (pasted: string) => void
}

/** What can be done with the console's log, and with the clipboard. */
export function SerialToolbar(props: SerialToolbarProps) {
  const { instance, read, canConnect, isConnected, isWrapping, onSearch, onWrap, onPaste } = props
  const [isSaving, setSaving] = useState(false)
  const noLog = canConnect ? undefined : text.notRunningText
  const save = async () => {
    setSaving(true)
    try {
      await saveLog(instance, read)
    } finally {
      setSaving(false)
    }
  }
  return (
    <div className="flex items-center gap-1">
      <Tool
        label={text.searchLabel}
        needs={instanceSerialConsole}
        disabledReason={noLog}
        onPress={onSearch}
      >
        <Search aria-hidden="true" />
      </Tool>
      <Tool
        label={text.wrapLabel}
        needs={null}
        aria-pressed={isWrapping}
        onPress={() => onWrap(!isWrapping)}
        className={isWrapping ? 'bg-selected text-fg' : undefined}
      >
        <WrapText aria-hidden="true" />
      </Tool>
      <Tool
        label={text.pasteLabel}
        needs={instanceSerialConsoleStream}
        disabledReason={isConnected ? undefined : text.notConnectedError}
        onPress={() => void pasteClipboard(onPaste)}
      >
        <ClipboardPaste aria-hidden="true" />
      </Tool>
      <Tool
        label={text.downloadLabel}
        needs={instanceSerialConsole}
        disabledReason={noLog}
        loading={isSaving}
        onPress={() => void save()}
      >
        <Download aria-hidden="true" />
      </Tool>
    </div>
  )
}

/** Saves everything that the server keeps of a log as a text file. */
async function saveLog(instance: string, read: ReadHistory): Promise<void> {
  try {
    const log = logText(await readAll(read), (bytes) => `[${text.lostText(formatInteger(bytes))}]`)
    saveText(`${instance}-serial-console.txt`, 'text/plain', log)
  } catch (error) {
    toast({
      variant: 'error',
      title: text.logErrorTitle,
      content: error instanceof Error ? error.message : String(error),
    })
  }
}
