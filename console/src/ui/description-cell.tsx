import { EmptyCell } from '~/ui/empty-cell'
import { OverflowText } from '~/ui/overflow-text'
import { Truncate } from '~/ui/truncate'

const MAX_LENGTH = 48
const TOOLTIP_DELAY_MS = 300

/** Description in a table: a dash when there is none, the whole of a long one in a tooltip. */
export function DescriptionCell({ text }: { text: string | undefined | null }) {
  if (!text) return <EmptyCell />
  if (text.length <= MAX_LENGTH) return <OverflowText text={text} />
  return <Truncate text={text} max={MAX_LENGTH} delay={TOOLTIP_DELAY_MS} />
}
