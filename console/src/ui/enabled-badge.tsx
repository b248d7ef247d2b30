import { Ban, CircleCheck } from 'lucide-react'

import * as common from '~/messages/common'
import { Badge } from '~/ui/badge'

/** Whether something is in use at all. */
export function EnabledBadge({ isEnabled }: { isEnabled: boolean }) {
  const [tone, Icon, word] = isEnabled
    ? (['accent', CircleCheck, common.enabledLabel] as const)
    : (['notice', Ban, common.disabledLabel] as const)
  return (
    <Badge tone={tone}>
      <Icon aria-hidden="true" />
      {word}
    </Badge>
  )
}
