import type { Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/instance'

import { isRestartingSoon } from './instance-state'

/** What happens to a failed instance without manual action. */
export type AutoRestartOutlook = 'soon' | 'waiting' | 'never'

/** What happens to a failed instance without manual action. `now` is in milliseconds since the epoch. */
export function autoRestartOutlook(instance: Instance, now: number): AutoRestartOutlook {
  if (!instance.autoRestartEnabled) return 'never'
  return isRestartingSoon(instance, now) ? 'soon' : 'waiting'
}

/** Time left until `end` as text: `less than a minute`, `5 minutes`. Rounded up to whole minutes. */
export function cooldownDistance(end: Date, now: number): string {
  const minutes = Math.ceil((end.getTime() - now) / 60_000)
  return text.minutesText(minutes)
}
