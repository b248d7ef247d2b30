import { useState } from 'react'

import * as common from '~/messages/common'
import * as text from '~/messages/login'
import { Identicon } from '~/ui/identicon'
import { Spinner } from '~/ui/spinner'

import type { ListedSilo } from './login-options'
import { lastSilo } from './silo-memory'

interface SiloListProps {
  silos: readonly ListedSilo[]
  /** Why the selected silo cannot be used. */
  problem?: string
  onChoose: (silo: string) => Promise<void>
}

/** The discoverable silos; the last used one comes first. */
export function SiloList({ silos, problem, onChoose }: SiloListProps) {
  const [busy, setBusy] = useState<string>()
  const last = lastSilo()
  const ordered = silos.toSorted(
    (one, other) => Number(other.name === last) - Number(one.name === last),
  )
  const choose = async (silo: string) => {
    if (busy) return
    setBusy(silo)
    await onChoose(silo)
    setBusy(undefined)
  }
  return (
    <>
      <ul
        aria-label={text.silosLabel}
        className="max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line"
      >
        {ordered.map(({ name, identityMode }) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => void choose(name)}
              className="flex h-14 w-full cursor-pointer items-center gap-3 px-3 text-left -outline-offset-2 hover:bg-hover"
            >
              <Identicon name={name} className="size-7" />
              <span className="min-w-0 grow">
                <span className="block truncate font-medium">{name}</span>
                <span className="block text-xs text-fg-subtle">
                  {identityMode === 'local_only'
                    ? text.passwordMethodLabel
                    : text.singleSignOnLabel}
                </span>
              </span>
              {busy === name ? (
                <Spinner label={common.loadingLabel} />
              ) : (
                name === last && (
                  <span className="text-xs text-fg-subtle">{text.lastUsedLabel}</span>
                )
              )}
            </button>
          </li>
        ))}
      </ul>
      <p role="alert" className="text-center text-sm text-danger-text not-empty:mt-3 empty:hidden">
        {problem}
      </p>
    </>
  )
}

/** Placeholder while the list is loading. */
export function SiloListSkeleton() {
  return (
    <div
      role="status"
      aria-label={text.loadingSilosLabel}
      className="rounded-md border border-line"
    >
      <div className="flex h-14 items-center gap-3 px-3">
        <span className="size-7 animate-pulse rounded-sm bg-pressed" />
        <span className="h-3.5 w-28 animate-pulse rounded-sm bg-pressed" />
      </div>
    </div>
  )
}
