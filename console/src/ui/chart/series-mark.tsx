import { cn } from '~/ui/class-names'

import { isDashed, seriesColor } from './series-color'

/** A short stroke in the colour of a series. */
export function SeriesMark({ index }: { index: number }) {
  return (
    <span
      aria-hidden="true"
      className={cn('w-4 shrink-0 border-t-2', isDashed(index) && 'border-dashed')}
      style={{ borderColor: `var(${seriesColor(index)})` }}
    />
  )
}
