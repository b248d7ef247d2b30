/** The explanation for people without a role. */

import type { ReactNode } from 'react'

export const signedInTitle = (name: string) => `You are signed in as ${name}`

export const noRoleHelp = (silo: string) =>
  `You are not in any groups and have no role on the silo ${silo} yet.`

export const noRoleInGroupsHelp = (silo: string) =>
  `Neither you nor your groups have a role on the silo ${silo} yet.`

export const askAdminsHelp = (names: string) => `Ask ${names} for one.`

export const askAnyAdminHelp = 'Ask an administrator of the silo for one.'

export const projectsHelp = (projects: ReactNode, href: string) => (
  <>
    You have a role on {projects}. See <a href={href}>all your projects</a>.
  </>
)

export const seeDocsHelp = (href: string) => (
  <>
    See the{' '}
    <a href={href} target="_blank" rel="noreferrer">
      docs
    </a>
    .
  </>
)
