import type { ReactNode } from 'react'
import { useId } from 'react'

interface FieldSectionProps {
  title: string
  /** What the fields of the section are for. */
  description?: ReactNode
  children: ReactNode
}

/** Fields of a long form that belong together, under a heading of their own. */
export function FieldSection({ title, description, children }: FieldSectionProps) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-5 border-t border-line pt-5">
      <div className="flex max-w-lg flex-col gap-1">
        <h3 id={titleId} className="text-base font-semibold">
          {title}
        </h3>
        {description && <p className="text-sm text-pretty text-fg-muted">{description}</p>}
      </div>
      {children}
    </section>
  )
}
