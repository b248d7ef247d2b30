import { useQuery } from '@tanstack/react-query'

import { Message } from '~/ui/message'

import { hasNoRole } from './no-role'

/** After a 403: says so when the person has no role at all, which is for an administrator to mend. */
export function NoRoleNotice() {
  const { data: isWithoutRole } = useQuery({ queryKey: ['noRoleCheck'], queryFn: hasNoRole })
  if (!isWithoutRole) return null
  return (
    <Message tone="notice">
      You are not in any groups and have no role on the silo. This usually means the identity
      provider is not set up correctly. See the{' '}
      <a
        href="/explorer?operation=policy_view"
        target="_blank"
        rel="noreferrer"
        className="underline underline-offset-3"
      >
        docs
      </a>
      .
    </Message>
  )
}
