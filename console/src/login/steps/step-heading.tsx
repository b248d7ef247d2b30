import type { ReactNode } from 'react'

/** What is asked for after the password, and why. */
export function StepHeading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="text-sm text-pretty text-fg-muted">{children}</p>
    </>
  )
}
