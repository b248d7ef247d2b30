import { formatBigNumber } from '~/lib/numbers'
import { Tooltip } from '~/ui/tooltip'

/** Number of any size in the reader's locale; an abbreviated one has the whole number in a tooltip. */
export function BigNumber({ value }: { value: number | bigint }) {
  const { text, full, abbreviated } = formatBigNumber(value)
  if (!abbreviated) return <span className="tabular">{text}</span>
  return (
    <Tooltip content={<span className="tabular">{full}</span>}>
      <span role="img" aria-label={full} tabIndex={0} className="rounded-sm tabular">
        {text}
      </span>
    </Tooltip>
  )
}
