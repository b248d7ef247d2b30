import type { ReactNode } from 'react'

interface FormSectionProps {
  title: string
  /** One sentence under the title. */
  hint?: ReactNode
  children: ReactNode
}

/** A part of the form with a heading. */
export function FormSection({ title, hint, children }: FormSectionProps) {
  return (
    <section className="max-w-3xl space-y-4 border-t border-line pt-6">
      <div>
        <h2 className="text-lg font-semibold">{title}</h2>
        {hint && <p className="mt-0.5 text-sm text-fg-muted">{hint}</p>}
      </div>
      {children}
    </section>
  )
}
