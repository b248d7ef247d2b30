import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'

import { commaList } from '~/lib/text'
import * as text from '~/messages/no-role'
import { Message } from '~/ui/message'

import { withoutRole } from './no-role'

export function NoRoleExplanation() {
  const { data } = useQuery({ queryKey: ['noRoleCheck'], queryFn: withoutRole })
  if (!data) return null
  const { name, silo, isInGroups, admins, projects } = data
  return (
    <Message tone="notice" title={text.signedInTitle(name)} className="max-w-lg text-left">
      {isInGroups ? text.noRoleInGroupsHelp(silo) : text.noRoleHelp(silo)}{' '}
      {admins.length > 0 ? text.askAdminsHelp(commaList(admins, 'or')) : text.askAnyAdminHelp}
      {projects.length > 0 && (
        <> {text.projectsHelp(<ProjectLinks projects={projects} />, '/projects')}</>
      )}{' '}
      {text.seeDocsHelp('/explorer?operation=policy_view')}
    </Message>
  )
}

function ProjectLinks({ projects }: { projects: readonly string[] }) {
  return projects.map((project, index) => (
    <Fragment key={project}>
      {index > 0 && ', '}
      <a href={`/projects/${project}/instances`}>{project}</a>
    </Fragment>
  ))
}
