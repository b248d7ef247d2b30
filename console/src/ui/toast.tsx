import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { useEffect, useSyncExternalStore } from 'react'

import * as common from '~/messages/common'
import { cn } from '~/ui/class-names'
import { Link } from '~/ui/link'
import { PressButton } from '~/ui/press-button'

export type ToastVariant = 'success' | 'error' | 'info'

export type ToastOptions = {
  /** Errors are titled "Error" and notes "Note" unless said otherwise; successes have no title. */
  title?: string
  /** A function is given what takes the toast away, in the place of a button that does. */
  content: ReactNode | ((dismiss: () => void) => ReactNode)
  variant?: ToastVariant
  link?: { label: string; href: string }
  /** Milliseconds until it goes by itself: 5 s, an error 15 s. `null` keeps it. */
  timeout?: number | null
}

type Toast = Required<Pick<ToastOptions, 'variant' | 'timeout'>> &
  Pick<ToastOptions, 'title' | 'content' | 'link'> & { id: number }

const defaultTimeouts: Record<ToastVariant, number> = { success: 5000, info: 5000, error: 15_000 }

let nextId = 1
let toasts: readonly Toast[] = []
const listeners = new Set<() => void>()

function replace(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const dismiss = (id: number) => replace(toasts.filter((each) => each.id !== id))

/** Removes every toast at once, for example between tests or at sign-out. */
export const clearToasts = () => replace([])

/** Shows a note at the bottom left of the window. It survives navigation. */
export function toast({ variant = 'success', timeout, ...rest }: ToastOptions): void {
  const delay = timeout === undefined ? defaultTimeouts[variant] : timeout
  replace([...toasts, { id: nextId++, variant, timeout: delay, ...rest }])
}

/** Where toasts appear; one for the app, outside of every layout. */
export function ToastStack() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section
      data-testid="Toasts"
      aria-label={common.notificationsLabel}
      aria-live="polite"
      aria-relevant="additions"
      // Keeps toasts reachable while a modal hides the rest of the page, and keeps a press on
      // one from counting as a press outside of that modal.
      data-react-aria-top-layer="true"
      className="pointer-events-none fixed bottom-4 left-4 z-toast flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-2 md:bottom-16"
    >
      {shown.map((each) => (
        <ToastCard key={each.id} toast={each} onDismiss={() => dismiss(each.id)} />
      ))}
    </section>
  )
}

const styles: Record<
  ToastVariant,
  {
    spokenTitle: string
    shownTitle?: string
    icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
    stripe: string
    iconColor: string
  }
> = {
  success: {
    spokenTitle: common.successLabel,
    icon: CircleCheck,
    stripe: 'bg-accent-solid',
    iconColor: 'text-accent-text',
  },
  error: {
    spokenTitle: common.errorTitle,
    shownTitle: common.errorTitle,
    icon: CircleAlert,
    stripe: 'bg-danger-solid',
    iconColor: 'text-danger-text',
  },
  info: {
    spokenTitle: common.noteLabel,
    shownTitle: common.noteLabel,
    icon: Info,
    stripe: 'bg-notice-solid',
    iconColor: 'text-notice-text',
  },
}

/** A link's text is cut at 36 characters; the target's own page shows the whole. */
const shortLinkLabel = (label: string) => (label.length > 36 ? `${label.slice(0, 34)}…` : label)

function ToastCard({
  toast: { title, content, variant, link, timeout },
  onDismiss,
}: {
  toast: Toast
  onDismiss: () => void
}) {
  useEffect(() => {
    if (timeout === null) return
    const timer = window.setTimeout(onDismiss, timeout)
    return () => window.clearTimeout(timer)
    // The time runs once from the moment the toast appears.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  const style = styles[variant]
  const Icon = style.icon
  const heading = title ?? style.shownTitle
  const isOwn = typeof content === 'function'
  return (
    <div className="pointer-events-auto relative flex animate-toast-in gap-3 overflow-hidden rounded-md bg-raised py-3 pr-10 pl-4 text-sm shadow-overlay">
      <span aria-hidden="true" className={cn('absolute inset-y-0 left-0 w-[3px]', style.stripe)} />
      <Icon aria-hidden="true" className={cn('mt-0.5 size-4 shrink-0', style.iconColor)} />
      <div className="min-w-0 break-words">
        {heading ? (
          <div className="font-medium text-fg">{heading}</div>
        ) : (
          <span className="sr-only">{style.spokenTitle}</span>
        )}
        <div className="text-fg-muted [&_b]:font-medium [&_b]:text-fg">
          {isOwn ? content(onDismiss) : content}
        </div>
        {link && (
          <Link
            href={link.href}
            onPress={onDismiss}
            className="mt-1 inline-block rounded-sm text-accent-text underline decoration-accent-border underline-offset-2 hover:decoration-current"
          >
            {shortLinkLabel(link.label)}
          </Link>
        )}
      </div>
      {!isOwn && (
        <PressButton
          aria-label={common.dismissNotificationLabel}
          onPress={onDismiss}
          className="absolute top-2 right-2 inline-flex size-7 items-center justify-center rounded-sm text-fg-subtle hover:bg-hover hover:text-fg"
        >
          <X aria-hidden="true" className="size-4" />
        </PressButton>
      )}
    </div>
  )
}
