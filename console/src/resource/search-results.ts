import {
  Archive,
  Blocks,
  Camera,
  Cloud,
  Cpu,
  Folder,
  Globe,
  HardDrive,
  Images,
  KeyRound,
  Network,
  Radio,
  Route,
  Router,
  Server,
  Shield,
  ShieldCheck,
  Ungroup,
  UserRoundKey,
} from 'lucide-react'

import type { SearchResult } from '~/api/generated/types.gen'
import type { Session } from '~/app/session'
import type { MenuIcon } from '~/ui/menu'

import { KINDS } from './registry'
import type { ThingPlace } from './registry'
import { INVENTORY_PATH, IP_POOLS_PATH } from './system-paths'
import { gatewayPath, routerPath } from './vpc-path'

/** Where a result is: the names of what it is part of, by their kinds. */
interface ResultPlace extends ThingPlace {
  id: string
  silo: string
  instance: string
  router: string
  pool: string
}

interface ResultKind {
  icon: MenuIcon
  /** The screen that shows the result, unless it is the one of the registry. */
  path?: (place: ResultPlace) => string
}

const networking = ({ project, instance }: ResultPlace) =>
  `/projects/${project}/instances/${instance}/networking`
const siloPage = ({ silo }: ResultPlace) => `/system/silos/${silo}`
const pool = ({ pool: name }: ResultPlace) => `${IP_POOLS_PATH}/${name}`
const inventory = (tab: string) => () => `${INVENTORY_PATH}/${tab}`

/** The kinds of results that have a screen. */
const RESULT_KINDS: Partial<Record<string, ResultKind>> = {
  project: { icon: Folder },
  instance: { icon: Server },
  disk: { icon: HardDrive },
  snapshot: { icon: Camera },
  image: {
    icon: Images,
    path: ({ project, name }) => `${project && `/projects/${project}`}/images/${name}`,
  },
  vpc: { icon: Network },
  vpc_subnet: { icon: Network },
  vpc_router: { icon: Router, path: (place) => routerPath(place, place.name) },
  router_route: { icon: Route, path: (place) => routerPath(place, place.router) },
  vpc_firewall: { icon: Shield },
  internet_gateway: { icon: Globe, path: (place) => gatewayPath(place, place.name) },
  floating_ip: { icon: Globe },
  instance_address: { icon: Globe, path: networking },
  network_interface: { icon: Network, path: networking },
  anti_affinity_group: { icon: Ungroup },
  silo: { icon: Cloud },
  silo_user: { icon: UserRoundKey, path: siloPage },
  silo_group: { icon: UserRoundKey, path: siloPage },
  saml_identity_provider: { icon: ShieldCheck, path: siloPage },
  certificate: { icon: ShieldCheck, path: siloPage },
  ssh_key: { icon: KeyRound, path: () => '/settings/ssh-keys' },
  ip_pool: { icon: Globe },
  ip_pool_range: { icon: Globe, path: pool },
  sled: { icon: Blocks, path: ({ id }) => `${INVENTORY_PATH}/sleds/${id}/instances` },
  physical_disk: { icon: HardDrive, path: inventory('disks') },
  switch: { icon: Router, path: inventory('switches') },
  rack: { icon: Blocks, path: inventory('racks') },
  alert_receiver: { icon: Radio, path: ({ name }) => `/system/alerts/${name}` },
  support_bundle: { icon: Archive, path: ({ id }) => `/system/support-bundles/${id}` },
}

/** Kinds that have a screen of the silo as well, which those see who may not see the system screens. */
const SILO_PATHS: Partial<Record<string, string>> = {
  silo: '/projects',
  silo_user: '/access',
  silo_group: '/access',
}

const UNKNOWN_ICON = Cpu

/** The icon of a kind of result. */
export const resultIcon = (kind: string): MenuIcon => RESULT_KINDS[kind]?.icon ?? UNKNOWN_ICON

/** The name of a result, or else its id. */
export const resultName = ({ name, id, matched }: SearchResult): string =>
  name ?? (matched.field === 'id' ? id : matched.text)

/** Who looks at results. */
export interface Viewer {
  siloName: string
  isFleetViewer: boolean
}

/** What decides which screens a person has. */
export const resultViewer = ({ me, isFleetViewer }: Session): Viewer => ({
  siloName: me.siloName,
  isFleetViewer,
})

/**
 * The path of the screen that shows a result; `undefined` if this person has none. What is in another silo than theirs has no screen.
 */
export function resultPath(
  result: Pick<SearchResult, 'kind' | 'id' | 'name' | 'within'>,
  viewer: Viewer,
): string | undefined {
  const { kind } = result
  const known = RESULT_KINDS[kind]
  const place = placeOf(result)
  const path = known?.path ?? KINDS[kind]?.screen?.path
  if (!known || !path) return undefined
  const href = path(place)
  if (!href.startsWith('/system/')) return isOwn(place, viewer) ? href : undefined
  if (viewer.isFleetViewer) return href
  return isOwn(place, viewer) ? SILO_PATHS[kind] : undefined
}

/** The names of what a result is in, from the outside to the inside, without the person's own silo. */
export const resultContainers = ({ within }: SearchResult, { siloName }: Viewer): string[] =>
  within
    .filter(({ kind, name }) => name && !(kind === 'silo' && name === siloName))
    .map(({ name }) => name ?? '')

/** Name of the project that a result is in. */
export const resultProject = (result: SearchResult): string => placeOf(result).project

/** Whether a result belongs to another silo than the person's. */
export const isInOtherSilo = (result: SearchResult, viewer: Viewer): boolean =>
  !isOwn(placeOf(result), viewer)

const isOwn = ({ silo }: ResultPlace, { siloName }: Viewer) => silo === '' || silo === siloName

function placeOf({
  id,
  kind,
  name,
  within,
}: Pick<SearchResult, 'kind' | 'id' | 'name' | 'within'>): ResultPlace {
  const all = [...within, { kind, id, name }]
  const nameOf = (wanted: string) => all.find((each) => each.kind === wanted)?.name ?? ''
  return {
    id,
    name: name ?? id,
    silo: nameOf('silo'),
    project: nameOf('project'),
    vpc: nameOf('vpc'),
    instance: nameOf('instance'),
    router: nameOf('vpc_router'),
    pool: nameOf('ip_pool'),
  }
}
