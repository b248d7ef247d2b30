import { TimerReset } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Link } from 'react-aria-components/Link'
import { Popover } from 'react-aria-components/Popover'

import type { Instance } from '~/api/generated/types.gen'
import { Badge } from '~/ui/badge'
import { buttonClass } from '~/ui/button-class'
import { usePopoverZIndex } from '~/ui/layer'
import { Spinner } from '~/ui/spinner'
import { useNow } from '~/ui/use-now'

import { autoRestartOutlook, cooldownDistance } from './auto-restart'

const NAME = 'Auto-restart status'

const SENTENCES = {
  soon: 'The instance will be restarted shortly.',
  waiting: 'The instance will be restarted once the cooldown is over.',
  never: 'The instance stays failed until it is started manually.',
} as const

interface AutoRestartStatusProps {
  /** Name of the project. */
  project: string
  instance: Instance
}

/** Whether and when the platform will start a failed instance again. */
export function AutoRestartStatus({ project, instance }: AutoRestartStatusProps) {
  const zIndex = usePopoverZIndex()
  return (
    <DialogTrigger>
      <Button
        aria-label={NAME}
        className={buttonClass({ variant: 'ghost', size: 'icon', className: 'size-6' })}
      >
        <TimerReset aria-hidden="true" />
      </Button>
      <Popover
        placement="bottom start"
        offset={4}
        style={{ zIndex }}
        className="w-80 max-w-[calc(100vw-1rem)] animate-pop-in rounded-md bg-raised shadow-overlay"
      >
        <Dialog aria-label={NAME} className="outline-none">
          {({ close }) => <Status project={project} instance={instance} onLeave={close} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function Status({
  project,
  instance,
  onLeave,
}: AutoRestartStatusProps & {
  /** The way to the settings was taken. */
  onLeave: () => void
}) {
  const { autoRestartEnabled, autoRestartPolicy, autoRestartCooldownExpiration } = instance
  const now = useNow()
  const outlook = autoRestartOutlook(instance, now)
  return (
    <>
      <dl className="space-y-2 px-4 py-3 text-sm">
        <Row label="Auto Restart">
          <Badge tone={autoRestartEnabled ? 'accent' : 'neutral'}>
            {autoRestartEnabled ? 'Enabled' : 'Disabled'}
          </Badge>
        </Row>
        <Row label="Policy">
          <Link
            href={`/projects/${project}/instances/${instance.name}/settings`}
            onPress={onLeave}
            className="flex rounded-sm hover:brightness-110"
          >
            <PolicyBadge policy={autoRestartPolicy} />
          </Link>
        </Row>
        {autoRestartEnabled && autoRestartCooldownExpiration && (
          <Row label="Cooldown">
            {outlook === 'soon' ? (
              <span className="inline-flex items-center gap-2">
                <Spinner /> Restarting soon…
              </span>
            ) : (
              `Waiting (${cooldownDistance(autoRestartCooldownExpiration, now)})`
            )}
          </Row>
        )}
      </dl>
      <p className="border-t border-line px-4 py-3 text-sm text-fg-muted">{SENTENCES[outlook]}</p>
    </>
  )
}

function PolicyBadge({ policy }: { policy: Instance['autoRestartPolicy'] }) {
  if (!policy) return <Badge tone="neutral">Default</Badge>
  return policy === 'never' ? (
    <Badge tone="neutral" solid>
      never
    </Badge>
  ) : (
    <Badge>best effort</Badge>
  )
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex items-center justify-between gap-4">
    <dt className="text-fg-muted">{label}</dt>
    <dd>{children}</dd>
  </div>
)
