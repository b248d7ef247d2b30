import { imageCreate } from '~/api/generated/operations'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/storage-summary-screens'
import { Fact, Facts, FormSummary } from '~/resource/form-summary'

/** What an image of a snapshot has in common with it. `size` is in bytes. */
export const ImageSummary = ({ size }: { size: number }) => (
  <FormSummary needs={imageCreate}>
    <Facts>
      <Fact label={text.imageSizeLabel}>{formatBytes(size)}</Fact>
      <Fact label={text.noCopyLabel}>{text.noCopyText}</Fact>
    </Facts>
    <p className="text-fg-muted">{text.fromSnapshotHelp}</p>
  </FormSummary>
)
