import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRef, useState } from 'react'

import { buttonClass } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { onDemand } from '~/ui/on-demand'
import { PressButton } from '~/ui/press-button'
import { Tooltip } from '~/ui/tooltip'

export type PageDocs = {
  /** Names the panel and the button that opens it: "Learn about disks". */
  heading: string
  /** One paragraph: what these things are for. */
  summary: ReactNode
  /** Guides elsewhere; each opens in a new tab. */
  links: Array<{ label: string; href: string }>
}

type PageHeaderProps = {
  icon: ReactNode
  title: ReactNode
  /** The primary action comes last, at the right. */
  actions?: ReactNode
  docs?: PageDocs
}

/** Icon, title and purpose of a page at the left, its actions at the right. */
export function PageHeader({ icon, title, actions, docs }: PageHeaderProps) {
  return (
    <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-3 py-5">
      <div
        // However long the title is, an icon button fits beside it; only wider actions go below.
        className={cn(
          'flex min-w-0 items-center gap-1.5',
          Boolean(actions) && 'max-w-[calc(100%-3rem)]',
        )}
      >
        <h1 className="flex min-w-0 items-center gap-2.5 text-xl font-semibold tracking-[-0.01em]">
          <span aria-hidden="true" className="shrink-0 text-accent-text [&_svg]:size-5">
            {icon}
          </span>
          <span className="truncate">{title}</span>
        </h1>
        {docs && <DocsPopover {...docs} />}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}

/** Loaded when the button is hovered or focused. */
const DocsPanel = onDemand(async () => (await import('~/ui/docs-panel')).DocsPanel)

function DocsPopover(docs: PageDocs) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Tooltip content={isOpen ? null : docs.heading}>
        <PressButton
          ref={button}
          aria-label={docs.heading}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onHoverStart={DocsPanel.preload}
          onFocus={DocsPanel.preload}
          onPress={() => setOpen(true)}
          className={buttonClass({ variant: 'ghost', size: 'icon', className: 'size-7' })}
        >
          <Info aria-hidden="true" />
        </PressButton>
      </Tooltip>
      {isOpen && (
        <DocsPanel
          {...docs}
          triggerRef={button}
          onClose={() => setOpen(false)}
          onMissing={() => setOpen(false)}
        />
      )}
    </>
  )
}
