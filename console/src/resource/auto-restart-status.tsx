import { TimerReset } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'

import type { Instance } from '~/api/generated/types.gen'
import * as common from '~/messages/common'
import * as text from '~/messages/instance'
import { Badge } from '~/ui/badge'
import { buttonClass } from '~/ui/button-class'
import { usePopoverZIndex } from '~/ui/layer'
import { Link } from '~/ui/link'
import { PressButton } from '~/ui/press-button'
import { Spinner } from '~/ui/spinner'
import { useNow } from '~/ui/use-now'

import { autoRestartOutlook, cooldownDistance } from './auto-restart'

const SENTENCES = {
  soon: text.restartSoonHelp,
  waiting: text.restartAfterCooldownHelp,
  never: text.neverRestartedHelp,
} as const

interface AutoRestartStatusProps {
  /** Name of the project. */
  project: string
  instance: Instance
}

/** Shows whether and when a failed instance is restarted automatically. */
export function AutoRestartStatus({ project, instance }: AutoRestartStatusProps) {
  const zIndex = usePopoverZIndex()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <PressButton
        ref={button}
        aria-label={text.autoRestartStatusLabel}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
        className={buttonClass({ variant: 'ghost', size: 'icon', className: 'size-6' })}
      >
        <TimerReset aria-hidden="true" />
      </PressButton>
      <Popover
        isOpen={isOpen}
        onOpenChange={setOpen}
        triggerRef={button}
        placement="bottom start"
        offset={4}
        style={{ zIndex }}
        className="w-80 max-w-[calc(100vw-1rem)] animate-pop-in rounded-md bg-raised shadow-overlay"
      >
        {/* Not opened by react-aria's trigger, with which every dialog would load menus. */}
        <Dialog aria-label={text.autoRestartStatusLabel} className="outline-none">
          <Status project={project} instance={instance} onLeave={() => setOpen(false)} />
        </Dialog>
      </Popover>
    </>
  )
}

function Status({
  project,
  instance,
  onLeave,
}: AutoRestartStatusProps & {
  /** Called when the link to the settings is followed. */
  onLeave: () => void
}) {
  const { autoRestartEnabled, autoRestartPolicy, autoRestartCooldownExpiration } = instance
  const now = useNow()
  const outlook = autoRestartOutlook(instance, now)
  return (
    <>
      <dl className="space-y-2 px-4 py-3 text-sm">
        <Row label={text.autoRestartLabel}>
          <Badge tone={autoRestartEnabled ? 'accent' : 'neutral'}>
            {autoRestartEnabled ? common.enabledLabel : common.disabledLabel}
          </Badge>
        </Row>
        <Row label={text.autoRestartPolicyLabel}>
          <Link
            href={`/projects/${project}/instances/${instance.name}/settings`}
            onPress={onLeave}
            className="flex rounded-sm hover:brightness-110"
          >
            <PolicyBadge policy={autoRestartPolicy} />
          </Link>
        </Row>
        {autoRestartEnabled && autoRestartCooldownExpiration && (
          <Row label={text.autoRestartCooldownLabel}>
            {outlook === 'soon' ? (
              <span className="inline-flex items-center gap-2">
                <Spinner /> {text.restartingSoonText}
              </span>
            ) : (
              text.cooldownWaitingText(cooldownDistance(autoRestartCooldownExpiration, now))
            )}
          </Row>
        )}
      </dl>
      <p className="border-t border-line px-4 py-3 text-sm text-fg-muted">{SENTENCES[outlook]}</p>
    </>
  )
}

function PolicyBadge({ policy }: { policy: Instance['autoRestartPolicy'] }) {
  if (!policy) return <Badge tone="neutral">{text.defaultPolicyLabel}</Badge>
  return policy === 'never' ? (
    <Badge tone="neutral" solid>
      {text.neverPolicyLabel}
    </Badge>
  ) : (
    <Badge>{text.bestEffortPolicyLabel}</Badge>
  )
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex items-center justify-between gap-4">
    <dt className="text-fg-muted">{label}</dt>
    <dd>{children}</dd>
  </div>
)
