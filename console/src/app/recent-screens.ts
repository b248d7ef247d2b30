import { RECENT_SCREENS_KEY } from './storage-keys'

/** A screen that the person has opened. */
export interface RecentScreen {
  href: string
  label: string
  /** What it is in, from the outside to the inside. */
  containers: readonly string[]
}

/** What the browser keeps: the screens of whoever was signed in last. */
interface Kept {
  person: string
  screens: RecentScreen[]
}

const MAX_KEPT = 8

/** The screens that a person has opened in this browser, the latest first. */
export function recentScreens(person: string): RecentScreen[] {
  try {
    const kept = JSON.parse(localStorage.getItem(RECENT_SCREENS_KEY) ?? '{}') as Partial<Kept>
    return kept.person === person && Array.isArray(kept.screens)
      ? kept.screens.filter(isScreen)
      : []
  } catch {
    return []
  }
}

/** Puts a screen before those opened earlier. */
export function rememberScreen(person: string, screen: RecentScreen): void {
  const others = recentScreens(person).filter(({ href }) => href !== screen.href)
  const kept: Kept = { person, screens: [screen, ...others].slice(0, MAX_KEPT) }
  try {
    localStorage.setItem(RECENT_SCREENS_KEY, JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing has no recent screens.
  }
}

function isScreen(value: unknown): value is RecentScreen {
  const { href, label, containers } = (value ?? {}) as Partial<RecentScreen>
  return (
    typeof href === 'string' &&
    // Never another site, whatever was written into the storage.
    /^\/(?!\/)/.test(href) &&
    typeof label === 'string' &&
    Array.isArray(containers) &&
    containers.every((each) => typeof each === 'string')
  )
}
