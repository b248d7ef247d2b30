import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'

import { supportBundleDownloadFile } from '~/api/generated/operations'
import { download } from '~/lib/download'
import { formatBytes } from '~/lib/units'
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

/** The text of a file of a bundle; of a long one, its beginning. */
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
          {data && !isCut && <CopyButton value={data.text} label="Copy text" />}
          <Button
            needs={supportBundleDownloadFile}
            variant="secondary"
            size="sm"
            onPress={() => download(fileUrl(bundleId, path), fileName(path))}
          >
            <Download aria-hidden="true" />
            Download
          </Button>
          <Button needs={null} size="sm" onPress={onDismiss}>
            Done
          </Button>
        </>
      }
    >
      {error && (
        <Message tone="danger" title="Could not read the file">
          {error.message}
        </Message>
      )}
      {!data && !error && <Spinner label="Reading the file" />}
      {isCut && (
        <Message tone="info" className="mb-3">
          Showing the first {formatBytes(SHOWN_AT_MOST)} of {formatBytes(data.size)}. Download the
          file to see all of it.
        </Message>
      )}
      {data && <TextBox label={`Text of ${path}`} text={data.text} />}
    </Dialog>
  )
}
