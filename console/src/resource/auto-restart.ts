import type { Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/instance'

import { isRestartingSoon } from './instance-state'

/** What will become of a failed instance if nobody does anything. */
export type AutoRestartOutlook = 'soon' | 'waiting' | 'never'

/** What will become of a failed instance by itself; `now` is in milliseconds since the epoch. */
export function autoRestartOutlook(instance: Instance, now: number): AutoRestartOutlook {
  if (!instance.autoRestartEnabled) return 'never'
  return isRestartingSoon(instance, now) ? 'soon' : 'waiting'
}

/** Time left until `end` in words: `less than a minute`, `5 minutes`; rounded up, so that it never promises too much. */
export function cooldownDistance(end: Date, now: number): string {
  const minutes = Math.ceil((end.getTime() - now) / 60_000)
  return text.minutesText(minutes)
}
