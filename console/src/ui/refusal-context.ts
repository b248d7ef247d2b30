import { createContext, use } from 'react'
import type { ReactNode } from 'react'

/** An operation that a control ends in, as the generated operations are. */
export interface Operation {
  readonly name: string
}

/**
 * What a control needs the person to be allowed: the operation that it ends in, or nothing (`null`) where it ends in none. Components of
 * controls demand one of the two, so that nobody forgets to say it.
 */
export type Needs = Operation | null

/** Says why the person may not do something. Nothing where they may, or where it is not known. */
export type Refuse = (needs: Needs | undefined) => ReactNode

/** What the person may not do on the present screen. Every control that can say why it is disabled asks it. */
export const RefusalContext = createContext<Refuse>(() => undefined)

/** What the person may not do on the present screen. */
export const useRefusal = (): Refuse => use(RefusalContext)
