import type { ReactNode } from 'react'

/** Texts about the target release. */

export const setTitle = 'Confirm set target release'
export const setHelp =
  'Records that the system should run this release. Nothing is installed or restarted. Releases older than this one can then no longer be set as the target.'
export const setLabel = 'Set target release'
export const setToast = (version: string) => (
  <>
    Target release is now <b>{version}</b>
  </>
)
export const setErrorTitle = 'Could not set target release'
export const setQuestion = (version: ReactNode) => (
  <>Are you sure you want to make {version} the target release?</>
)
