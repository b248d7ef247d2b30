import type { ReactNode } from 'react'

import * as common from '~/messages/common'

type EmptyMessageProps = {
  icon: ReactNode
  title?: string
  /** One sentence that says what would be here. */
  body?: ReactNode
  /** The way to fill it: usually the page's primary action. */
  action?: ReactNode
}

/** An empty state. */
export function EmptyMessage({
  icon,
  title = common.noResultsTitle,
  body,
  action,
}: EmptyMessageProps) {
  return (
    <div className="flex flex-col items-center px-4 py-4 text-center">
      <div className="mb-4 flex size-10 items-center justify-center rounded-md border border-accent-border bg-accent-bg text-accent-text [&_svg]:size-5">
        {icon}
      </div>
      <h2 className="text-base font-semibold">{title}</h2>
      {body && <p className="mt-1 max-w-sm text-sm text-balance text-fg-muted">{body}</p>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}
