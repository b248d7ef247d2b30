import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Needs } from '~/ui/refusal-context'

import { permissionsOn } from './permissions'
import { refuseBy } from './rights-on'

/**
 * Returns why the person may not call an operation in one of these projects, whichever screen is shown. Where the rights are not known yet,
 * nothing is refused, and the server decides.
 */
export function useProjectRefusals(
  projects: readonly string[],
): (project: string, needs: Needs) => ReactNode {
  const answers = useQueries({
    queries: projects.map((project) => permissionsOn({ on: 'project', project })),
  })
  return (project, needs) => {
    const { data } = answers[projects.indexOf(project)] ?? {}
    return refuseBy(data, { isSystem: false, project })(needs)
  }
}
