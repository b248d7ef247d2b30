import { useQuery } from '@tanstack/react-query'
import { Download, FileText } from 'lucide-react'
import { useCallback, useState } from 'react'

import { supportBundleDownloadFile } from '~/api/generated/operations'
import { download } from '~/lib/download'
import * as text from '~/messages/support-bundle-screens'
import { bundleFiles } from '~/resource/support-bundle'
import { fileName, fileUrl } from '~/resource/support-bundle-actions'
import { ButtonCell } from '~/ui/link-cell'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

const FileView = onDemand(async () => (await import('./file-view')).FileView)

interface BundleFile {
  path: string
}

const columns = (open: (file: BundleFile) => void): Column<BundleFile>[] => [
  {
    id: 'file',
    header: text.fileLabel,
    isName: true,
    cell: (file) => (
      <ButtonCell onApproach={FileView.preload} onPress={() => open(file)}>
        {file.path}
      </ButtonCell>
    ),
  },
]

/** The files of a bundle, each to view or to download. */
export function BundleFiles({ bundleId }: { bundleId: string }) {
  const { data, error } = useQuery(bundleFiles(bundleId))
  const [viewed, setViewed] = useState<BundleFile>()
  const close = useCallback(() => setViewed(undefined), [])
  const [shownColumns] = useState(() => columns(setViewed))
  const rowActions = useCallback(
    (file: BundleFile) => [
      {
        id: 'view',
        label: text.viewLabel,
        icon: FileText,
        needs: null,
        onAction: () => setViewed(file),
      },
      {
        id: 'download',
        label: text.downloadLabel,
        icon: Download,
        needs: supportBundleDownloadFile,
        onAction: () => download(fileUrl(bundleId, file.path), fileName(file.path)),
      },
    ],
    [bundleId],
  )
  return (
    <section aria-labelledby="bundle-files" className="mt-6 space-y-3">
      <h2 id="bundle-files" className="text-base font-semibold">
        {text.filesTitle}
      </h2>
      {error ? (
        <Message tone="danger" title={text.listFilesFailedTitle}>
          {error.message}
        </Message>
      ) : (
        <Table
          label={text.filesLabel}
          columns={shownColumns}
          rows={data?.map((path) => ({ path })) ?? []}
          rowKey={({ path }) => path}
          rowActions={rowActions}
          isLoading={data === undefined}
          emptyMessage={<p className="text-sm text-fg-muted">{text.noFilesHelp}</p>}
        />
      )}
      {viewed && (
        <FileView bundleId={bundleId} path={viewed.path} onDismiss={close} onMissing={close} />
      )}
    </section>
  )
}
