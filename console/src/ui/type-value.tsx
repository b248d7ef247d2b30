import { Badge } from '~/ui/badge'
import { OverflowText } from '~/ui/overflow-text'

interface TypeValueProps {
  /** What kind of thing it is, in the words of the API or of the screen. */
  type: string
  value: string
}

/** A typed value as two badges side by side: what it is, outlined, and which, solid. */
export function TypeValue({ type, value }: TypeValueProps) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-0.5">
      <Badge tone="neutral">{type}</Badge>
      <Badge tone="neutral" solid preserveCase className="min-w-0">
        <OverflowText text={value} />
      </Badge>
    </span>
  )
}
