import type { AuditLogEntry } from '~/api/generated/types.gen'

import { KINDS } from './registry'

type Request = Pick<AuditLogEntry, 'actor' | 'operationId' | 'requestUri' | 'result'>

/**
 * Where the console shows what a request was about, if it does and the person may see it: what is in a silo can be seen by its own people
 * alone.
 *
 * @param ownSilo id of the person's silo.
 */
export function resourcePath(entry: Request, ownSilo: string): string | undefined {
  const { actor, operationId, requestUri, result } = entry
  // What was deleted is nowhere.
  if (operationId.endsWith('_delete') && result.kind === 'success') return undefined
  // What is done on the server's own host has no path.
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
