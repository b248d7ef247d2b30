import { useEffect, useId, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'

import type { MenuAction, MenuIcon, Several } from '~/ui/menu'
import { useRefusal } from '~/ui/refusal-context'
import type { Needs } from '~/ui/refusal-context'

/** Something a person can do here. Row menus, page headers, the palette and the keyboard all read it. */
export type Action = ActionText & (Deed | Link)

/** Does something. */
interface Deed {
  perform: () => void
  /** The operation that it calls. Without the right to it, the action is disabled with the reason. */
  needs: Needs
  href?: undefined
}

/** A link, or a disabled action with a reason. */
interface Link {
  href?: string
  /** The operation that the target is for. */
  needs?: Needs
  perform?: undefined
}

interface ActionText {
  id: string
  /** A verb, or the place it leads to. Unique in the palette. */
  label: string
  /** Heading in the palette; without one the action stands under "Actions". */
  group?: string
  icon?: MenuIcon
  /** In the palette beside the label, for example what contains the thing. */
  detail?: string
  /** In the palette at the end, for example a state. */
  badge?: ReactNode
  /** `n`, or a sequence such as `g p`. */
  shortcut?: string
  /** Why it cannot be done now. */
  disabledReason?: ReactNode
  destructive?: boolean
  /** How it is done to several rows of a list. */
  several?: Several
}

/** The screen's own actions come before those of the layouts around it. */
export type ActionLevel = 'page' | 'layout'

interface Contribution {
  level: ActionLevel
  actions: readonly Action[]
}

const contributions = new Map<string, Contribution>()
const listeners = new Set<() => void>()
let snapshot: readonly Action[] = []

function publish() {
  const all = [...contributions.values()]
  const ordered = [
    ...all.filter(({ level }) => level === 'page'),
    ...all.filter(({ level }) => level === 'layout'),
  ].flatMap(({ actions }) => actions)
  const firstByLabel = new Map<string, Action>()
  for (const action of ordered) {
    if (!firstByLabel.has(action.label)) firstByLabel.set(action.label, action)
  }
  snapshot = [...firstByLabel.values()]
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Offers actions for as long as the component is mounted. Those that the person may not do are disabled. */
export function useActions(actions: readonly Action[], level: ActionLevel = 'page'): void {
  const id = useId()
  const refuse = useRefusal()
  useEffect(() => {
    contributions.set(id, {
      level,
      actions: actions.map((action) => ({
        ...action,
        disabledReason: refuse(action.needs) ?? action.disabledReason,
      })),
    })
    publish()
  }, [id, level, actions, refuse])
  useEffect(
    () => () => {
      contributions.delete(id)
      publish()
    },
    [id],
  )
}

/** Every action offered at the moment, unique by label. */
export const currentActions = (): readonly Action[] => snapshot

/** {@link currentActions}, kept up to date. */
export const useCurrentActions = () => useSyncExternalStore(subscribe, currentActions)

/** The same actions as entries of a menu. */
export function menuEntries(actions: readonly Action[]): MenuAction[] {
  return actions.map(
    ({ perform, href, needs, group: _, detail: _detail, badge: _badge, ...text }) => ({
      ...text,
      ...(perform ? { onAction: perform, needs: needs ?? null } : { href, needs }),
    }),
  )
}
