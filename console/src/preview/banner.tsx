import {
  ArrowRight,
  ChevronsUpDown,
  CircleUser,
  Info,
  RotateCcw,
  TriangleAlert,
} from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'

import * as common from '~/messages/common'
import * as text from '~/messages/preview'
import { Badge } from '~/ui/badge'
import { buttonClass } from '~/ui/button-class'
import { MenuButton } from '~/ui/menu'
import type { MenuChoice, MenuEntry } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import { PressButton } from '~/ui/press-button'

import { failurePercent, setFailurePercent, subscribeFailurePercent } from './failures'
import { usePeople } from './people'
import type { SwitchPerson } from './switch-person'

const AboutDialog = onDemand(async () => (await import('./about-dialog')).AboutDialog)

/** The percentages in the menu. The URL can set others. */
const PERCENTS = [0, 5, 20, 50]

const HOME = '/projects'

const useFailurePercent = () => useSyncExternalStore(subscribeFailurePercent, failurePercent)

interface BannerProps {
  switchPerson: SwitchPerson
  /** Goes to a screen of the console. */
  onFollow: (href: string) => void
}

/** The banner of the preview, with a menu to switch the user and to inject failures. */
export function Banner({ switchPerson, onFollow }: BannerProps) {
  const [isAboutOpen, setAboutOpen] = useState(false)
  const { failure } = usePeople()
  return (
    <aside
      aria-label={text.bannerLabel}
      className="sticky top-0 z-top-bar flex h-[var(--preview-banner-height)] items-center gap-2 border-b border-info-border bg-info-bg px-3 text-sm text-info-text"
    >
      <Info aria-hidden="true" className="size-4 shrink-0 max-sm:hidden" />
      <span className="min-w-0 truncate">{text.bannerText}</span>
      <PressButton
        onHoverStart={AboutDialog.preload}
        onFocus={AboutDialog.preload}
        onPress={() => setAboutOpen(true)}
        className="flex shrink-0 cursor-default items-center gap-1 rounded-sm px-1 py-0.5 font-medium whitespace-nowrap hover:underline"
      >
        {text.learnMoreLabel}
        <ArrowRight aria-hidden="true" className="size-3.5" />
      </PressButton>
      <div className="ml-auto flex min-w-0 shrink-0 items-center gap-2">
        {failure ? <Broken reason={failure} /> : <Failing />}
        <PreviewMenu switchPerson={switchPerson} />
      </div>
      {isAboutOpen && (
        <AboutDialog
          onDismiss={() => setAboutOpen(false)}
          onMissing={() => setAboutOpen(false)}
          onFollow={(href) => {
            setAboutOpen(false)
            onFollow(href)
          }}
        />
      )}
    </aside>
  )
}

function Broken({ reason }: { reason: string }) {
  return (
    <Badge tone="danger">
      <TriangleAlert aria-hidden="true" />
      <span role="alert" title={reason}>
        {text.couldNotStartTitle}
      </span>
    </Badge>
  )
}

function Failing() {
  const percent = useFailurePercent()
  return (
    <span role="status" className="flex">
      {percent > 0 && (
        <Badge tone="notice">
          <TriangleAlert aria-hidden="true" />
          <span>
            <span className="max-md:sr-only">{text.injectingLabel} </span>
            {percent} %
          </span>
        </Badge>
      )}
    </span>
  )
}

function PreviewMenu({ switchPerson }: Pick<BannerProps, 'switchPerson'>) {
  const { all, present, coming } = usePeople()
  const percent = useFailurePercent()
  const person: MenuChoice = {
    id: 'person',
    choice: text.signedInAsLabel,
    options: all.map(({ name, role }) => ({ id: name, label: `${name} (${role})` })),
    selected: present ?? '',
    onSelect: (name) => void switchPerson(name, HOME),
  }
  const failures: MenuChoice = {
    id: 'failures',
    choice: text.failureInjectionLabel,
    options: [...new Set([...PERCENTS, percent])]
      .toSorted((one, other) => one - other)
      .map((each) => ({ id: String(each), label: each === 0 ? common.offLabel : `${each} %` })),
    selected: String(percent),
    onSelect: (chosen) => setFailurePercent(Number(chosen)),
  }
  const startOver: MenuEntry = {
    id: 'start-over',
    label: text.startOverLabel,
    icon: RotateCcw,
    needs: null,
    onAction: () => window.location.reload(),
  }
  const items: MenuEntry[] = [
    ...(all.length > 0 ? [person, { separator: true } as const] : []),
    failures,
    { separator: true },
    startOver,
  ]
  return (
    <MenuButton
      label={text.menuLabel}
      items={items}
      className={buttonClass({
        variant: 'ghost',
        size: 'sm',
        className: 'border-info-border text-info-text max-md:px-1.5',
      })}
      trigger={
        <>
          <CircleUser aria-hidden="true" />
          <span className="max-w-48 truncate max-md:hidden">
            {coming ?? present ?? text.signedOutLabel}
          </span>
          <ChevronsUpDown aria-hidden="true" className="size-3.5!" />
        </>
      }
    />
  )
}
