import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'

import * as text from '~/messages/tray'
import { addWork, forgetWork, keptWork, onKeptWork, workOf } from '~/resource/background-work'
import type { BackgroundWork } from '~/resource/background-work'
import { progressOf, viewOfWork, workIn, workPath } from '~/resource/work-progress'
import type { WorkProgress } from '~/resource/work-progress'
import { toast } from '~/ui/toast'

/** Work that the tray shows. */
export interface ShownWork extends BackgroundWork {
  /** Why it failed; absent while it goes on. */
  reason?: string
}

/**
 * The snapshots that are taken, disks that are imported and bundles that are collected, as far as this person began them or this browser has
 * seen them, in whichever tab. What has failed stays until it is dismissed.
 *
 * @param person id of the signed-in user.
 */
export function useBackgroundWork(person: string): readonly ShownWork[] {
  const client = useQueryClient()
  useEffect(() => watch(client, person), [client, person])
  const stored = useSyncExternalStore(onKeptWork, keptWork)
  const work = useMemo(() => workOf(stored, person), [stored, person])
  const answers = useQueries({ queries: work.map(viewOfWork) })
  const progress = work.map((each, index) => progressOf(each, answers[index]?.data))
  useEnds(work, progress, person)
  return work.flatMap((each, index) => {
    const now = progress[index]
    if (now === 'running') return [each]
    return typeof now === 'object' ? [{ ...each, reason: now.reason }] : []
  })
}

/** Keeps what the answers show that screens fetch, and those that are cached already. */
function watch(client: QueryClient, person: string): () => void {
  const cache = client.getQueryCache()
  addWork(
    person,
    cache.getAll().flatMap(({ queryKey, state }) => workIn(queryKey, state.data)),
  )
  return cache.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const found = workIn(event.query.queryKey, event.query.state.data)
    // Not while the cache tells its listeners of this one.
    if (found.length > 0) queueMicrotask(() => addWork(person, found))
  })
}

/** Forgets what has ended, and says so to who began it, in a tab that they see. */
function useEnds(
  work: readonly BackgroundWork[],
  progress: readonly WorkProgress[],
  person: string,
): void {
  const settle = useEffectEvent(() => {
    for (const [index, each] of work.entries()) {
      const now = progress[index]
      if (now !== 'done' && now !== 'gone') continue
      const isTold = each.isOwn && now === 'done'
      if (isTold && document.visibilityState !== 'visible') continue
      if (forgetWork(person, each.id) && isTold) tellEnd(each)
    }
  })
  const states = JSON.stringify([work.map(({ id }) => id), progress])
  useEffect(() => settle(), [states])
  useEffect(() => {
    const listen = () => settle()
    document.addEventListener('visibilitychange', listen)
    return () => document.removeEventListener('visibilitychange', listen)
  }, [])
}

function tellEnd(work: BackgroundWork) {
  const href = workPath(work)
  toast({
    content: text.workDoneToast[work.kind](work.name),
    ...(href && { link: { label: text.openWorkLabel[work.kind], href } }),
  })
}
