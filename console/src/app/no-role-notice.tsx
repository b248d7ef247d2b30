import { useQuery } from '@tanstack/react-query'

import { commaList } from '~/lib/text'
import { Message } from '~/ui/message'

import { withoutRole } from './no-role'

/** After a 403: tells somebody who has no role on the silo who they are signed in as, and whom to ask. */
export function NoRoleNotice() {
  const { data } = useQuery({ queryKey: ['noRoleCheck'], queryFn: withoutRole })
  if (!data) return null
  const { name, silo, admins } = data
  return (
    <Message tone="notice" title={`You are signed in as ${name}`}>
      You are not in any groups and have no role on the silo {silo} yet.{' '}
      {admins.length > 0
        ? `${commaList(admins, 'or')} can give you one.`
        : 'An administrator of the silo can give you one.'}{' '}
      If you have a role on a project, open the project by its address. See the{' '}
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
