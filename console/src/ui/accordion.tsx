import { ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Disclosure, DisclosurePanel } from 'react-aria-components/Disclosure'
import { Heading } from 'react-aria-components/Heading'

type AccordionProps = {
  title: ReactNode
  /** Open from the start. */
  defaultOpen?: boolean
  /** For forms that have to open a section in which a field is wrong. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  children: ReactNode
}

const wantsLessMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** A section that opens under its title, and comes into view as it does. Its fields stay mounted while it is closed. */
export function Accordion({ title, defaultOpen, isOpen, onOpenChange, children }: AccordionProps) {
  const section = useRef<HTMLDivElement>(null)
  const change = (open: boolean) => {
    onOpenChange?.(open)
    if (!open) return
    // In the next frame, when the section has its height.
    requestAnimationFrame(() =>
      section.current?.scrollIntoView({
        block: 'nearest',
        behavior: wantsLessMotion() ? 'auto' : 'smooth',
      }),
    )
  }
  return (
    <Disclosure
      ref={section}
      defaultExpanded={defaultOpen}
      isExpanded={isOpen}
      onExpandedChange={change}
      className="group border-t border-line last:border-b"
    >
      <Heading level={3}>
        <Button
          slot="trigger"
          className="flex h-11 w-full cursor-default items-center gap-2 rounded-sm text-base font-medium text-fg-muted group-data-expanded:text-fg hover:text-fg"
        >
          <ChevronRight
            aria-hidden="true"
            className="size-4 text-fg-subtle transition-transform group-data-expanded:rotate-90"
          />
          {title}
        </Button>
      </Heading>
      <DisclosurePanel>
        <div className="pb-6 pl-6">{children}</div>
      </DisclosurePanel>
    </Disclosure>
  )
}
