import { use } from 'react'

import { truncate, type TruncatePosition } from '~/lib/text'
import { CopyButton } from '~/ui/copy-button'
import { CardContext } from '~/ui/delegated-tips'
import { Tooltip } from '~/ui/tooltip'

/** Properties of {@link Truncate}. */
export interface TruncateProps {
  text: string
  /** Longest text shown whole, in characters. */
  max: number
  position?: TruncatePosition
  /** Adds a copy button, when the text was cut only. */
  copy?: boolean
  /** Wait before the tooltip shows on hover, in milliseconds. */
  delay?: number
}

/**
 * Text of limited length; what was cut is in a tooltip on hover and focus, and in the accessible name. A card shows the whole text, unless it
 * can be copied.
 */
export function Truncate({ text, max, position = 'end', copy = false, delay }: TruncateProps) {
  const shown = truncate(text, max, position)
  const isInCard = use(CardContext)
  if (shown === text || (isInCard && !copy)) return <span>{text}</span>
  // Where even that is too long, it is cut once more at its ellipsis, so that there is only one.
  const cut = shown.indexOf('…') + 1
  const [head, tail] = [shown.slice(0, cut), shown.slice(cut)]
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <Tooltip content={<span className="break-words">{text}</span>} delay={delay}>
        {/* A bare span may not carry a name; as an image of text it may. */}
        <span role="img" aria-label={text} tabIndex={0} className="flex min-w-0 rounded-sm">
          <span className="truncate">{head}</span>
          <span className="shrink-0 whitespace-nowrap">{tail}</span>
        </span>
      </Tooltip>
      {copy && <CopyButton value={text} />}
    </span>
  )
}
