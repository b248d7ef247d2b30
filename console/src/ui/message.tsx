import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'

import { cn } from '~/ui/class-names'

export type MessageTone = 'info' | 'success' | 'notice' | 'danger'

const styles: Record<
  MessageTone,
  { box: string; icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }> }
> = {
  info: { box: 'border-info-border bg-info-bg text-info-text', icon: Info },
  success: { box: 'border-success-border bg-success-bg text-success-text', icon: CircleCheck },
  notice: { box: 'border-notice-border bg-notice-bg text-notice-text', icon: TriangleAlert },
  danger: { box: 'border-danger-border bg-danger-bg text-danger-text', icon: CircleAlert },
}

type MessageProps = {
  tone?: MessageTone
  title?: string
  /** A link or button under the text. */
  action?: ReactNode
  className?: string
  children: ReactNode
}

/** A boxed remark inside a page or form. A danger message is announced when it appears. */
export function Message({ tone = 'info', title, action, className, children }: MessageProps) {
  const { box, icon: Icon } = styles[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : undefined}
      className={cn('flex gap-2.5 rounded-md border px-3 py-2.5 text-sm', box, className)}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 grow break-words">
        {title && <div className="font-medium">{title}</div>}
        <div className={cn('[&_a]:underline', title && 'opacity-90')}>{children}</div>
        {action && <div className="mt-2">{action}</div>}
      </div>
    </div>
  )
}
