import { BookOpen, ExternalLink } from 'lucide-react'
import type { RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Popover } from 'react-aria-components/Popover'

import * as text from '~/messages/shell'
import { cn } from '~/ui/class-names'
import { usePopoverZIndex } from '~/ui/layer'
import { Link } from '~/ui/link'
import type { PageDocs } from '~/ui/page-header'

type DocsPanelProps = PageDocs & {
  /** The button that opened it; focus returns there. */
  triggerRef: RefObject<HTMLElement | null>
  onClose: () => void
}

/** What a page is about, and where to read on. */
export function DocsPanel({ summary, links, heading, triggerRef, onClose }: DocsPanelProps) {
  const zIndex = usePopoverZIndex()
  return (
    <Popover
      isOpen
      onOpenChange={(open) => !open && onClose()}
      triggerRef={triggerRef}
      placement="bottom end"
      offset={6}
      style={{ zIndex }}
      className={({ isEntering, isExiting }) =>
        cn(
          'w-96 max-w-[calc(100vw-1rem)] rounded-md bg-raised shadow-overlay outline-none',
          isEntering && 'animate-pop-in',
          isExiting && 'animate-fade-out',
        )
      }
    >
      <Dialog className="outline-none">
        <div className="space-y-2 px-4 py-3.5">
          <Heading
            slot="title"
            level={2}
            className="flex items-center gap-2 text-base font-semibold"
          >
            <BookOpen aria-hidden="true" className="size-4 text-accent-text" />
            {heading}
          </Heading>
          <p className="text-sm text-fg-muted">{summary}</p>
        </div>
        {links.length > 0 && (
          <div className="border-t border-line px-4 py-3">
            <h3 className="text-label text-fg-subtle">{text.guidesTitle}</h3>
            <ul className="mt-1">
              {links.map(({ label, href }) => (
                <li key={label}>
                  <Link
                    href={href}
                    target="_blank"
                    rel="noreferrer"
                    className="inline-flex items-center gap-1.5 rounded-sm py-1 text-sm text-accent-text hover:underline"
                  >
                    {label}
                    <ExternalLink aria-hidden="true" className="size-3.5" />
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Dialog>
    </Popover>
  )
}
