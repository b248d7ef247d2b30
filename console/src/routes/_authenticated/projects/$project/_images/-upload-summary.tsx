import { imageCreate } from '~/api/generated/operations'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/storage-summary-screens'
import {
  Fact,
  Facts,
  FormSummary,
  StorageQuota,
  SummarySection,
  useStorageQuota,
} from '~/resource/form-summary'
import { temporaryDiskSize } from '~/resource/image-upload'

interface UploadSummaryProps {
  file: File
  /** Bytes. */
  blockSize: number
}

/** What an upload takes for a time and for good, and what is made on the way. */
export function UploadSummary({ file, blockSize }: UploadSummaryProps) {
  const size = temporaryDiskSize(file)
  // A disk and the snapshot of it.
  const { amount, problem } = useStorageQuota(2 * size)
  return (
    <FormSummary needs={imageCreate} problems={[problem]}>
      <Facts>
        <Fact label={text.fileLabel}>{file.name}</Fact>
        <Fact label={text.sizeLabel}>{formatBytes(file.size)}</Fact>
        <Fact label={text.imageSizeLabel}>{formatBytes(size)}</Fact>
        <Fact label={text.blockSizeLabel}>{text.bytesText(blockSize)}</Fact>
      </Facts>
      {file.size % blockSize > 0 && <p className="text-fg-muted">{text.blocksHelp(blockSize)}</p>}
      <SummarySection title={text.onTheWayTitle}>
        <p className="text-fg-muted">{text.onTheWayHelp(formatBytes(size))}</p>
        <p className="text-fg-muted">{text.timeHelp}</p>
      </SummarySection>
      <StorageQuota amount={amount} />
      <p className="text-fg-muted">{text.keptHelp(formatBytes(size))}</p>
    </FormSummary>
  )
}
