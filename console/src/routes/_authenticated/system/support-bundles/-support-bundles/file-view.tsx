import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'

import { supportBundleDownloadFile } from '~/api/generated/operations'
import { download } from '~/lib/download'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/support-bundle-screens'
import { bundleFile, SHOWN_AT_MOST } from '~/resource/support-bundle'
import { fileName, fileUrl } from '~/resource/support-bundle-actions'
import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { Dialog } from '~/ui/dialog'
import { Message } from '~/ui/message'
import { Spinner } from '~/ui/spinner'
import { TextBox } from '~/ui/text-box'

interface FileViewProps {
  bundleId: string
  path: string
  onDismiss: () => void
}

/** The text of a file in a bundle. A long text is cut off. */
export function FileView({ bundleId, path, onDismiss }: FileViewProps) {
  const { data, error } = useQuery(bundleFile(bundleId, path))
  const isCut = data !== undefined && data.size > SHOWN_AT_MOST
  return (
    <Dialog
      title={<span className="font-mono text-sm break-all">{path}</span>}
      isOpen
      onDismiss={onDismiss}
      width="free"
      footerStart={data && formatBytes(data.size)}
      footer={
        <>
          {data && !isCut && <CopyButton value={data.text} label={text.copyTextLabel} />}
          <Button
            needs={supportBundleDownloadFile}
            variant="secondary"
            size="sm"
            onPress={() => download(fileUrl(bundleId, path), fileName(path))}
          >
            <Download aria-hidden="true" />
            {text.downloadLabel}
          </Button>
          <Button needs={null} size="sm" onPress={onDismiss}>
            {text.doneLabel}
          </Button>
        </>
      }
    >
      {error && (
        <Message tone="danger" title={text.readFileFailedTitle}>
          {error.message}
        </Message>
      )}
      {!data && !error && <Spinner label={text.readingTheFileLabel} />}
      {isCut && (
        <Message tone="info" className="mb-3">
          {text.cutFileHelp(formatBytes(SHOWN_AT_MOST), formatBytes(data.size))}
        </Message>
      )}
      {data && <TextBox label={text.fileTextLabel(path)} text={data.text} />}
    </Dialog>
  )
}
