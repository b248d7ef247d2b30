import * as text from '~/messages/access'
import { Message } from '~/ui/message'

import type { AccessLoss } from './access-loss'
import { lostCapabilities } from './role'
import type { RoleScope } from './role'

interface AccessLossNoticeProps {
  loss: AccessLoss
  scope: RoleScope
  /** The person can see the system pages, which may depend on the role on the silo. */
  isFleetViewer: boolean
}

/** Lists what the person loses by their own change. */
export function AccessLossNotice({ loss, scope, isFleetViewer }: AccessLossNoticeProps) {
  const { own, isLastAdmin } = loss
  return (
    <div className="flex flex-col gap-3">
      {own && (
        <Message tone="notice" title={text.ownAccessLossTitle}>
          {text.lostCapabilitiesText}
          <ul className="ml-4 list-disc">
            {lostCapabilities(scope, own.before, own.after).map((capability) => (
              <li key={capability}>{capability}</li>
            ))}
            {scope === 'silo' && isFleetViewer && <li>{text.systemPagesCapabilityText}</li>}
          </ul>
        </Message>
      )}
      {isLastAdmin && (
        <Message tone="notice" title={text.noAdminLeftTitle}>
          {scope === 'silo' ? text.noSiloAdminLeftText : text.noProjectAdminLeftText}
        </Message>
      )}
    </div>
  )
}
