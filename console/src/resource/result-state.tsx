import type { SearchResult } from '~/api/generated/types.gen'

import type { DiskStateWord } from './disk-state'
import { DiskStateBadge } from './disk-state-badge'
import type { InstanceRunState } from './instance-state'
import { InstanceStateBadge } from './instance-state-badge'

/** The state of an instance or a disk that a search found; nothing for other kinds. */
export function ResultState({ kind, state }: Pick<SearchResult, 'kind' | 'state'>) {
  if (!state) return null
  if (kind === 'instance') return <InstanceStateBadge state={state as InstanceRunState} />
  return <DiskStateBadge state={state as DiskStateWord} />
}
