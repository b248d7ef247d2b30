import { createContext, use } from 'react'
import type { ReactNode } from 'react'

/** An operation that a control calls. */
export interface Operation {
  readonly name: string
  readonly method?: string
}

/**
 * What a control needs the person to be allowed: the operation that it ends in, or nothing (`null`) where it ends in none. Components of
 * controls demand one of the two, so that nobody forgets to say it.
 */
export type Needs = Operation | null

/** Returns why the person may not call an operation; `undefined` if they may, or if that is unknown. */
export type Refuse = (needs: Needs | undefined) => ReactNode

/** The refusals of the current screen, for every control that can be disabled with a reason. */
export const RefusalContext = createContext<Refuse>(() => undefined)

/** The refusals of the current screen. */
export const useRefusal = (): Refuse => use(RefusalContext)
