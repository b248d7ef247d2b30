import { Ban, CircleCheck } from 'lucide-react'

import { Badge } from '~/ui/badge'

/** Whether something is in use at all. */
export function EnabledBadge({ isEnabled }: { isEnabled: boolean }) {
  const [tone, Icon, word] = isEnabled
    ? (['accent', CircleCheck, 'Enabled'] as const)
    : (['notice', Ban, 'Disabled'] as const)
  return (
    <Badge tone={tone}>
      <Icon aria-hidden="true" />
      {word}
    </Badge>
  )
}
