import { Info, Play, Square, SquareTerminal } from 'lucide-react'

import { instanceSerialConsoleStream } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/instance-columns'
import { buttonClass } from '~/ui/button-class'
import { useFollowLink } from '~/ui/navigate-context'
import { useRefusal } from '~/ui/refusal-context'
import { Tooltip } from '~/ui/tooltip'

import { powerAction } from './instance-actions'
import { instanceCan } from './instance-state'

const iconClass = buttonClass({
  variant: 'ghost',
  size: 'icon',
  className: 'size-7 [&_svg]:size-3.5',
})

interface InstanceRowButtonsProps {
  instance: Instance
  /** Name of the project. */
  project: string
  /** Shows the details of an instance beside the list, if there is room for them. */
  onDetails?: (name: string) => void
}

/**
 * Start, stop and serial console in the row of an instance: those that its state and the person's rights allow. The menu has all of them, with
 * the reasons. They are plain elements, because a list has hundreds.
 */
export function InstanceRowButtons({ instance, project, onDetails }: InstanceRowButtonsProps) {
  const refuse = useRefusal()
  const follow = useFollowLink()
  const { name } = instance
  const power = [
    { ...powerAction('start', text.startInstanceLabel(name), instance, project), Icon: Play },
    { ...powerAction('stop', text.stopInstanceLabel(name), instance, project), Icon: Square },
  ]
  const consoleLabel = text.consoleOfInstanceLabel(name)
  const detailsLabel = text.detailsOfInstanceLabel(name)
  return (
    <span className="flex items-center">
      {onDetails && (
        <Tooltip content={detailsLabel}>
          <button
            type="button"
            data-row-details={name}
            aria-label={detailsLabel}
            onClick={() => onDetails(name)}
            className={iconClass}
          >
            <Info aria-hidden="true" />
          </button>
        </Tooltip>
      )}
      {power.map(
        ({ id, label, Icon, needs, perform, disabledReason }) =>
          !disabledReason &&
          !refuse(needs) && (
            <Tooltip key={id} content={label}>
              <button
                type="button"
                aria-label={label}
                data-needs={needs?.name}
                onClick={perform}
                className={iconClass}
              >
                <Icon aria-hidden="true" />
              </button>
            </Tooltip>
          ),
      )}
      {instanceCan('serialConsole', instance) && !refuse(instanceSerialConsoleStream) && (
        <Tooltip content={consoleLabel}>
          <a
            href={`/projects/${project}/instances/${name}/serial-console`}
            aria-label={consoleLabel}
            data-needs={instanceSerialConsoleStream.name}
            onClick={follow}
            className={iconClass}
          >
            <SquareTerminal aria-hidden="true" />
          </a>
        </Tooltip>
      )}
    </span>
  )
}
