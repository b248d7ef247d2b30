import type { AuditLogEntry } from '~/api/generated/types.gen'

import { SLEDS_PATH } from './inventory-docs'
import { IP_POOLS_PATH } from './ip-pool-docs'
import { gatewaysPath, routersPath, subnetsPath, vpcPath } from './vpc-path'

/** Screens of what is in a project, by the word in the API's paths. `name` is empty where the request was about the list. */
const IN_PROJECT: Partial<Record<string, (project: string, name: string, vpc: string) => string>> =
  {
    instances: (project, name) => `/projects/${project}/instances${name && `/${name}/storage`}`,
    disks: (project) => `/projects/${project}/disks`,
    snapshots: (project) => `/projects/${project}/snapshots`,
    images: (project) => `/projects/${project}/images`,
    'floating-ips': (project) => `/projects/${project}/floating-ips`,
    'anti-affinity-groups': (project, name) => `/projects/${project}/affinity${name && `/${name}`}`,
    vpcs: (project, name) =>
      name ? `${vpcPath(project, name)}/firewall-rules` : `/projects/${project}/vpcs`,
    'vpc-firewall-rules': (project, _name, vpc) => `${vpcPath(project, vpc)}/firewall-rules`,
    'vpc-subnets': (project, _name, vpc) => subnetsPath({ project, vpc }),
    'vpc-routers': (project, _name, vpc) => routersPath({ project, vpc }),
    'internet-gateways': (project, _name, vpc) => gatewaysPath({ project, vpc }),
  }

/** Screens of the system area, by the beginning of the API's path. The rest of it is the name. */
const IN_SYSTEM: readonly [prefix: string, path: (name: string) => string][] = [
  ['/v1/system/silos', (name) => `/system/silos${name && `/${name}`}`],
  ['/v1/system/ip-pools', (name) => IP_POOLS_PATH + (name && `/${name}`)],
  ['/v1/system/hardware/sleds', (name) => SLEDS_PATH + (name && `/${name}/instances`)],
]

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
  for (const [prefix, path] of IN_SYSTEM) {
    if (pathname === prefix || pathname.startsWith(`${prefix}/`)) {
      return path(pathname.slice(prefix.length + 1).split('/')[0] ?? '')
    }
  }
  if (actor.kind !== 'silo_user' || actor.siloId !== ownSilo) return undefined
  const [, , kind = '', name = ''] = pathname.split('/')
  if (kind === 'projects') return name ? `/projects/${name}/instances` : '/projects'
  const [project, vpc = ''] = [searchParams.get('project'), searchParams.get('vpc') ?? '']
  const needsVpc = kind.startsWith('vpc-') || kind === 'internet-gateways'
  if (!project || (needsVpc && !vpc)) return undefined
  return IN_PROJECT[kind]?.(project, name, vpc)
}
