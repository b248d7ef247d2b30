import type { ReactNode } from 'react'

/** Sections are reached from the sidebar by `#id`. */
export const sectionId = (title: string) => title.toLowerCase().replaceAll(' ', '-')

/** One primitive and its states. */
export function Specimen({ title, children }: { title: string; children: ReactNode }) {
  const id = sectionId(title)
  return (
    <section id={id} aria-label={title} className="scroll-mt-4 border-t border-line py-6">
      <h2 className="mb-4 text-sm font-semibold">{title}</h2>
      <div className="space-y-4">{children}</div>
    </section>
  )
}

/** States side by side, with a word about what they show. */
export function Row({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-2 md:grid-cols-[8rem_minmax(0,1fr)] md:items-center">
      <div className="text-xs text-fg-subtle">{label}</div>
      <div className="flex min-w-0 flex-wrap items-center gap-3">{children}</div>
    </div>
  )
}
