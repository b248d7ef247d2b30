import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'

import { download } from '~/lib/download'
import { formatBytes } from '~/lib/units'
import { bundleFile, SHOWN_AT_MOST } from '~/resource/support-bundle'
import { fileName, fileUrl } from '~/resource/support-bundle-actions'
import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { Dialog } from '~/ui/dialog'
import { Message } from '~/ui/message'
import { Spinner } from '~/ui/spinner'

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
            variant="secondary"
            size="sm"
            onPress={() => download(fileUrl(bundleId, path), fileName(path))}
          >
            <Download aria-hidden="true" />
            Download
          </Button>
          <Button size="sm" onPress={onDismiss}>
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
          This is the beginning, {formatBytes(SHOWN_AT_MOST)} of {formatBytes(data.size)}. Download
          the file to see the whole of it.
        </Message>
      )}
      {data && (
        // The box scrolls sideways, which has to work with the keyboard as well.
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          role="region"
          aria-label={`Text of ${path}`}
          className="max-h-[60vh] overflow-auto rounded-sm border border-line bg-sunken p-3 font-mono text-xs leading-5 text-fg"
        >
          {data.text || '(empty)'}
        </pre>
      )}
    </Dialog>
  )
}
