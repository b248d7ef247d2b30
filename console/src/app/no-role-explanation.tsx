import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'

import { commaList } from '~/lib/text'
import { Message } from '~/ui/message'

import { withoutRole } from './no-role'

export function NoRoleExplanation() {
  const { data } = useQuery({ queryKey: ['noRoleCheck'], queryFn: withoutRole })
  if (!data) return null
  const { name, silo, isInGroups, admins, projects } = data
  return (
    <Message tone="notice" title={`You are signed in as ${name}`} className="max-w-lg text-left">
      {isInGroups
        ? `Neither you nor your groups have a role on the silo ${silo} yet. `
        : `You are not in any groups and have no role on the silo ${silo} yet. `}
      {admins.length > 0
        ? `Ask ${commaList(admins, 'or')} for one.`
        : 'Ask an administrator of the silo for one.'}
      {projects.length > 0 && (
        <>
          {' '}
          You have a role on{' '}
          {projects.map((project) => (
            <Fragment key={project}>
              <a href={`/projects/${project}/instances`}>{project}</a>,{' '}
            </Fragment>
          ))}
          see <a href="/projects">all your projects</a>.
        </>
      )}{' '}
      See the{' '}
      <a href="/explorer?operation=policy_view" target="_blank" rel="noreferrer">
        docs
      </a>
      .
    </Message>
  )
}
