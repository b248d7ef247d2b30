import { call } from '~/api/call'
import type { FailedCall } from '~/api/errors'
import {
  diskView,
  diskList,
  instanceDiskDetach,
  instanceDiskList,
  instanceStop,
  vpcSubnetList,
} from '~/api/generated/operations'
import { allItems } from '~/api/list'
import type { Endpoint } from '~/api/operation'
import { invalidate, q } from '~/api/query'
import { queryClient } from '~/api/query-client'
import { isOverlapping } from '~/lib/ip-overlap'
import * as text from '~/messages/repairs'

import { refreshInstances } from './instance-actions'
import { resultPath } from './search-results'
import type { Viewer } from './search-results'
import { IP_POOLS_PATH } from './system-paths'
import { subnetEditPath, subnetsPath } from './vpc-path'

/** A failure, as far as it tells what can be done about it. */
export interface Failure {
  errorCode?: string
  failed?: FailedCall
}

/** What a failure has to do with, and what can be done about it. */
export interface Repair {
  text: string
  link?: RepairLink
  /** The link to what has to be looked for first, in place of the other one. */
  find?: () => Promise<RepairLink | undefined>
  action?: RepairAction
}

interface RepairLink {
  label: string
  href: string
}

interface RepairAction {
  label: string
  needs: Endpoint | null
  run: () => Promise<unknown>
  /** Shown when it is done. */
  done: string
}

/** What a call was about. Names that it did not have are empty. */
interface Context {
  operation: Endpoint
  said: string
  viewer: Viewer
  /** The value of a parameter, or of a field of the body. */
  of: (name: string) => string
}

/** The answer's own words. */
export const saidOf = ({ answer }: FailedCall): string =>
  (answer.type === 'error' && answer.data.message) || ''

type Rule = (context: Context, errorCode: string | undefined) => Repair | undefined

/** What can be done about a failed call; `undefined` where the message says everything. The first rule that fits counts. */
export function repairOf(failure: Failure, viewer: Viewer): Repair | undefined {
  const { failed, errorCode } = failure
  if (!failed) return undefined
  const { operation, input } = failed
  const said = saidOf(failed)
  const { path, query, body } = input as Record<string, Record<string, unknown> | undefined>
  const of = (name: string) => {
    const value = path?.[name] ?? query?.[name] ?? body?.[name]
    return typeof value === 'string' ? value : ''
  }
  for (const rule of RULES) {
    const repair = rule({ operation, said, viewer, of }, errorCode)
    if (repair) return repair
  }
  return undefined
}

/** The server names kinds with dashes, and says of an image whose it is. */
const kindOf = (named: string) =>
  named.replace(/^(project|silo)-image$/, 'image').replaceAll('-', '_')

const nameTaken: Rule = ({ said, viewer, of }, errorCode) => {
  const [, kind, name] = /^already exists: (\S+) "([^"]+)"/.exec(said) ?? []
  if (errorCode !== 'ObjectAlreadyExists' || !kind || !name) return undefined
  const within = ['silo', 'project', 'vpc', 'router', 'instance'].flatMap((container) => {
    const own = container === 'silo' ? of('silo') || viewer.siloName : of(container)
    return own
      ? [{ kind: container === 'router' ? 'vpc_router' : container, id: '', name: own }]
      : []
  })
  const href = resultPath({ kind: kindOf(kind), id: name, name, within }, viewer)
  return { text: text.takenText, link: href ? { label: text.openLabel(name), href } : undefined }
}

const quotaExceeded: Rule = ({ said }) =>
  /^(vCPU|Memory|Storage) Limit Exceeded/.test(said)
    ? { text: text.quotaText, link: { label: text.utilizationLabel, href: '/utilization' } }
    : undefined

const noAddress: Rule = ({ said, viewer, of }) => {
  if (!/No external IP addresses available/.test(said)) return undefined
  if (!viewer.isFleetViewer) return { text: text.askForAddressesText }
  const pool = of('pool')
  return {
    text: text.addressesText,
    link: pool
      ? { label: text.poolLabel(pool), href: `${IP_POOLS_PATH}/${pool}` }
      : { label: text.poolsLabel, href: IP_POOLS_PATH },
  }
}

const noDefaultPool: Rule = ({ said, viewer: { isFleetViewer, siloName } }) => {
  if (!/default IP pool for current silo/.test(said)) return undefined
  const href = `/system/silos/${siloName}?tab=ip-pools`
  return {
    text: text.noPoolText,
    link: isFleetViewer ? { label: text.siloPoolsLabel, href } : undefined,
  }
}

const instanceRuns: Rule = ({ said, of }) => {
  const isAbout = /instance (is not fully stopped|must be stopped)|^Instance must be stopped/.test(
    said,
  )
  const instance = of('instance')
  if (!isAbout || !instance) return undefined
  const query = { project: of('project') || undefined }
  return {
    text: text.runningText,
    action: {
      label: text.stopLabel,
      needs: instanceStop,
      run: async () => {
        await call(instanceStop, { path: { instance }, query })
        await refreshInstances()
      },
      done: text.stoppingText,
    },
  }
}

const diskAttached: Rule = ({ said, of }) => {
  const isAbout = /disk is attached to another instance|disk cannot be deleted in state "attached"/
  const disk = /disk "([^"]+)"/.exec(said)?.[1] ?? of('disk')
  if (!isAbout.test(said) || !disk) return undefined
  return {
    text: text.attachedText,
    action: {
      label: text.detachLabel,
      needs: instanceDiskDetach,
      run: () => detach(disk, of('project') || undefined),
      done: text.detachedText,
    },
  }
}

async function detach(disk: string, project: string | undefined): Promise<void> {
  const { id, state } = await call(diskView, { path: { disk }, query: { project } })
  if ('instance' in state) {
    await call(instanceDiskDetach, { path: { instance: state.instance }, body: { disk: id } })
  }
  await invalidate(diskList, diskView, instanceDiskList)
}

const subnetOverlaps: Rule = ({ said, of }) => {
  const block = /^IP address range '([^']+)' conflicts with an existing subnet/.exec(said)?.[1]
  if (!block) return undefined
  const vpc = { project: of('project'), vpc: of('vpc') }
  return {
    text: text.overlapText,
    find: async () => {
      const query = { ...vpc, limit: allItems }
      const { items } = await queryClient.fetchQuery(q(vpcSubnetList, { query }))
      for (const { name, ipv4Block, ipv6Block } of items) {
        const taken = [ipv4Block, ipv6Block].find((each) => isOverlapping(each, block))
        if (taken) return { label: text.subnetLabel(name, taken), href: subnetEditPath(vpc, name) }
      }
      return { label: text.subnetsLabel, href: subnetsPath(vpc) }
    },
  }
}

const isGone: Rule = ({ operation }, errorCode) =>
  errorCode === 'ObjectNotFound' && operation.method !== 'GET'
    ? {
        text: text.goneText,
        action: {
          label: text.reloadLabel,
          needs: null,
          run: () => queryClient.invalidateQueries(),
          done: text.reloadedText,
        },
      }
    : undefined

const RULES: readonly Rule[] = [
  nameTaken,
  quotaExceeded,
  noAddress,
  noDefaultPool,
  instanceRuns,
  diskAttached,
  subnetOverlaps,
  isGone,
]
