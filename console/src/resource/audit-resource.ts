import type { AuditLogEntry } from '~/api/generated/types.gen'

import { KINDS } from './registry'

type Request = Pick<AuditLogEntry, 'actor' | 'operationId' | 'requestUri' | 'result'>

/**
 * The path of the screen that shows the resource of a request, if there is one and the person may see it. Resources in a silo are
 * visible only to users of that silo.
 *
 * @param ownSilo id of the person's silo.
 */
export function resourcePath(entry: Request, ownSilo: string): string | undefined {
  const { actor, operationId, requestUri, result } = entry
  // A deleted resource has no screen.
  if (operationId.endsWith('_delete') && result.kind === 'success') return undefined
  // Operations on the server's own host have no path.
  if (!requestUri.startsWith('/')) return undefined
  const { pathname, searchParams } = new URL(requestUri, 'http://croft.invalid')
  const screen = screenOf(pathname)
  if (!screen) return undefined
  const { api, within, path } = screen
  const isOwn = actor.kind === 'silo_user' && actor.siloId === ownSilo
  if (within !== 'system' && !isOwn) return undefined
  const name = pathname.slice(api.length + 1).split('/')[0] ?? ''
  const project = searchParams.get('project') ?? ''
  const vpc = searchParams.get('vpc') ?? ''
  if ((within === 'project' || within === 'vpc') && !project) return undefined
  if (within === 'vpc' && !vpc) return undefined
  return path({ name, project, vpc })
}

const screenOf = (pathname: string) =>
  Object.values(KINDS)
    .map((kind) => kind?.screen)
    .find((screen) => screen && (pathname === screen.api || pathname.startsWith(`${screen.api}/`)))
