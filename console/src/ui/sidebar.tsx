import { ExternalLink, PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import type { ComponentType } from 'react'
import { useEffect, useId, useState } from 'react'

import * as text from '~/messages/shell'
import { cn } from '~/ui/class-names'
import { Link } from '~/ui/link'
import { onDemand } from '~/ui/on-demand'
import { PressButton } from '~/ui/press-button'
import { matchLink, sidebarHeadingLimit } from '~/ui/sidebar-path'
import { Tooltip } from '~/ui/tooltip'

export type SidebarLink = {
  label: string
  /** A full address opens in a new tab. */
  href: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  /** Current on this very path only, not below it. */
  exact?: boolean
  /** Where the link counts as current, if that is wider than where it leads. */
  activeUnder?: string
}

export type SidebarSection = {
  /** Shown over the links; cut at 24 characters. */
  heading?: string
  /** Accessible name of the list; "Sidebar navigation" unless said otherwise. */
  label?: string
  links: SidebarLink[]
}

type SidebarProps = {
  sections: SidebarSection[]
  /** Path of the page shown, without query. */
  currentPath: string
  isCollapsed: boolean
  onToggle: () => void
  /** The same links as a drawer, on narrow screens. */
  isDrawerOpen: boolean
  onCloseDrawer: () => void
}

/** Loaded on demand: wide screens never open it, and it needs the code of modals. */
const SidebarDrawer = onDemand(async () => (await import('~/ui/sidebar-drawer')).SidebarDrawer)

/** The navigation of the current scope: a column on wide screens, a drawer on narrow ones. */
export function Sidebar(props: SidebarProps) {
  const { sections, currentPath, isCollapsed, onToggle, isDrawerOpen, onCloseDrawer } = props
  const [wasDrawerOpened, setDrawerOpened] = useState(false)
  useEffect(() => {
    // It stays once opened, so that it can slide out.
    if (isDrawerOpen) setDrawerOpened(true)
  }, [isDrawerOpen])
  const ToggleIcon = isCollapsed ? PanelLeftOpen : PanelLeftClose
  const toggleName = isCollapsed ? text.expandSidebarLabel : text.collapseSidebarLabel
  return (
    <>
      <aside
        className={cn(
          'hidden shrink-0 flex-col border-r border-line bg-chrome md:flex',
          isCollapsed ? 'w-[var(--sidebar-width-collapsed)]' : 'w-[var(--sidebar-width)]',
        )}
      >
        <div className="min-h-0 grow overflow-x-hidden overflow-y-auto">
          <Sections sections={sections} currentPath={currentPath} isCollapsed={isCollapsed} />
        </div>
        <div className="border-t border-line p-2">
          <Tooltip content={isCollapsed ? toggleName : null} placement="right">
            <PressButton
              aria-label={toggleName}
              onPress={onToggle}
              className={rowClass(isCollapsed)}
            >
              <ToggleIcon aria-hidden="true" className="size-4 shrink-0" />
              {!isCollapsed && <span>{text.collapseLabel}</span>}
            </PressButton>
          </Tooltip>
        </div>
      </aside>
      {(isDrawerOpen || wasDrawerOpened) && (
        <SidebarDrawer
          sections={sections}
          currentPath={currentPath}
          isOpen={isDrawerOpen}
          onClose={onCloseDrawer}
          onMissing={onCloseDrawer}
        />
      )}
    </>
  )
}

type SectionsProps = Pick<SidebarProps, 'sections' | 'currentPath' | 'isCollapsed'> & {
  onFollow?: () => void
}

/** The lists of links themselves. */
export function Sections({ sections, ...rest }: SectionsProps) {
  return (
    <div className="divide-y divide-line">
      {sections.map((section, index) => (
        <Section key={section.heading ?? index} section={section} {...rest} />
      ))}
    </div>
  )
}

type SectionProps = Omit<SectionsProps, 'sections'> & { section: SidebarSection }

function Section({ section, currentPath, isCollapsed, onFollow }: SectionProps) {
  const { heading, label, links } = section
  const headingId = useId()
  const shown =
    heading && heading.length > sidebarHeadingLimit
      ? `${heading.slice(0, sidebarHeadingLimit - 1)}…`
      : heading
  return (
    <div className="p-2">
      {shown && !isCollapsed && (
        <h2 id={headingId} title={heading} className="px-2 pt-1.5 pb-2 text-label text-fg-subtle">
          {shown}
        </h2>
      )}
      <nav aria-label={label ?? text.sidebarLabel}>
        <ul className="space-y-0.5">
          {links.map((link) => (
            <li key={link.label}>
              <SidebarRow
                link={link}
                currentPath={currentPath}
                isCollapsed={isCollapsed}
                onFollow={onFollow}
              />
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

function rowClass(isCollapsed: boolean, isActive = false) {
  return cn(
    'relative flex h-8 w-full cursor-default items-center gap-2.5 rounded-sm text-sm transition-colors max-md:h-10',
    isCollapsed ? 'justify-center' : 'px-2',
    isActive
      ? 'bg-selected font-medium text-fg before:absolute before:inset-y-1.5 before:-left-2 before:w-[3px] before:rounded-r-full before:bg-accent-solid [&_svg]:text-accent-text'
      : 'text-fg-muted hover:bg-hover hover:text-fg',
  )
}

type SidebarRowProps = Omit<SectionsProps, 'sections'> & { link: SidebarLink }

function SidebarRow({ link, currentPath, isCollapsed, onFollow }: SidebarRowProps) {
  const { label, href, icon: Icon, exact, activeUnder } = link
  const match = matchLink(currentPath, { href: activeUnder ?? href, exact })
  const isExternal = /^https?:/.test(href)
  return (
    <Tooltip content={isCollapsed ? label : null} placement="right">
      <Link
        href={href}
        {...(isExternal && { target: '_blank', rel: 'noreferrer' })}
        aria-label={isCollapsed ? label : undefined}
        aria-current={match === 'current' ? 'page' : undefined}
        onPress={onFollow}
        className={rowClass(isCollapsed, match !== 'other')}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        {!isCollapsed && <span className="truncate">{label}</span>}
        {isExternal && !isCollapsed && (
          <ExternalLink aria-hidden="true" className="ml-auto size-3.5 text-fg-subtle" />
        )}
      </Link>
    </Tooltip>
  )
}
