/**
 * Whether changes arrive by themselves: `live` while the stream of events is up; `polling` while it is not, and screens ask again and
 * again; `offline` while the browser has no network; `starting` until one of them is certain.
 */
export type LiveState = 'starting' | 'live' | 'polling' | 'offline'

let state: LiveState = 'starting'
const listeners = new Set<() => void>()

/** The current state. */
export const liveState = (): LiveState => state

/** Subscribes to the state. */
export function subscribeLiveState(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Sets the state. */
export function setLiveState(next: LiveState): void {
  if (next === state) return
  state = next
  for (const listener of listeners) listener()
}
