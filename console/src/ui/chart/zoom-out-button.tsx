import { ZoomOut } from 'lucide-react'

import * as text from '~/messages/chart-zoom'
import { Button } from '~/ui/button'
import type { ChartZoom } from '~/ui/chart/chart-data'

/** Shows a longer range in the charts of a screen. */
export const ZoomOutButton = ({ zoom: { zoomOut } }: { zoom: ChartZoom }) => (
  <Button
    needs={null}
    variant="secondary"
    size="icon"
    aria-label={text.zoomOutLabel}
    disabledReason={zoomOut ? undefined : text.longestRangeError}
    onPress={() => zoomOut?.()}
  >
    <ZoomOut aria-hidden="true" />
  </Button>
)
