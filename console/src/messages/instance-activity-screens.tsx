// Texts of an instance's activity, and of the message about its trouble.

import type { ReactNode } from 'react'

export const causedByLabel = 'Caused by'
export const serialTailTitle = 'Last lines of the serial console'
export const serialTailLabel = 'Last lines of the serial console'
export const troubleTitle = (what: string, cause: string) => `${what}: ${cause}`
export const allActivityLabel = 'See all activity'
export const emptyTitle = 'No activity'
export const emptyHelp = 'Events of this instance and their causes will appear here'
export const listLabel = 'Activity'
export const timesText = (count: number) => `${count} times`
export const sinceText = (time: ReactNode, count: number) =>
  count > 1 ? (
    <>
      Since {time} ({count} times).
    </>
  ) : (
    <>Since {time}.</>
  )
export const causedByText = (cause: ReactNode) => <>Caused by: {cause}</>
