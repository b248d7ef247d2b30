import { use, useLayoutEffect, useRef, useState, type RefObject } from 'react'

import { DelegatedTipsContext, isCut } from '~/ui/delegated-tips'
import { Tooltip } from '~/ui/tooltip'

/** Whether the text of an element is cut, as of the last rendering. */
function useIsCut(ref: RefObject<HTMLElement | null>): boolean {
  const [hasCut, setHasCut] = useState(false)
  // After every render, because everything that changes the width, such as a column, renders the content again. The state
  // does not change the width, so at most one more render follows.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(() => {
    const element = ref.current
    if (element) setHasCut(isCut(element))
  })
  return hasCut
}

/**
 * Text on one line, cut with an ellipsis where its container ends. When cut it takes the focus and shows the whole
 * text in a tooltip.
 */
export function OverflowText({ text }: { text: string }) {
  const isDelegated = use(DelegatedTipsContext)
  if (isDelegated) {
    return (
      <span data-overflow className="block truncate">
        {text}
      </span>
    )
  }
  return <MeasuredText text={text} />
}

function MeasuredText({ text }: { text: string }) {
  const ref = useRef<HTMLSpanElement>(null)
  const hasCut = useIsCut(ref)
  if (!hasCut) {
    return (
      <span ref={ref} className="block truncate">
        {text}
      </span>
    )
  }
  return (
    <Tooltip content={text}>
      <span
        ref={ref}
        role="img"
        aria-label={text}
        tabIndex={0}
        className="block truncate rounded-sm"
      >
        {text}
      </span>
    </Tooltip>
  )
}
