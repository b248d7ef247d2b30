import { Message } from '~/ui/message'

import type { AccessLoss } from './access-loss'
import { lostCapabilities } from './role'
import type { RoleScope } from './role'

interface AccessLossNoticeProps {
  loss: AccessLoss
  scope: RoleScope
  /** The person sees the system screens, which may come from the role on the silo. */
  isFleetViewer: boolean
}

/** Names what the person who makes a change loses by it. */
export function AccessLossNotice({ loss, scope, isFleetViewer }: AccessLossNoticeProps) {
  const { own, isLastAdmin } = loss
  return (
    <div className="flex flex-col gap-3">
      {own && (
        <Message tone="notice" title="This removes your own access">
          You will no longer be able to
          <ul className="ml-4 list-disc">
            {lostCapabilities(scope, own.before, own.after).map((capability) => (
              <li key={capability}>{capability}</li>
            ))}
            {scope === 'silo' && isFleetViewer && (
              <li>
                view the system pages, if your access to them comes from your role on the silo
              </li>
            )}
          </ul>
        </Message>
      )}
      {isLastAdmin && (
        <Message tone="notice" title="No admin would be left">
          {scope === 'silo'
            ? 'Nobody in the silo will be able to change roles. Only an operator can restore the role.'
            : 'Nobody will be able to change roles on the project.'}
        </Message>
      )}
    </div>
  )
}
