import {
  Camera,
  Globe,
  HardDrive,
  Images,
  Network,
  Search,
  Server,
  SquareTerminal,
  Ungroup,
} from 'lucide-react'
import type { ReactNode } from 'react'

import {
  antiAffinityGroupCreate,
  diskCreate,
  floatingIpCreate,
  imageCreate,
  instanceCreate,
  instanceReboot,
  instanceSerialConsoleStream,
  instanceStart,
  instanceStop,
  snapshotCreate,
  vpcCreate,
} from '~/api/generated/operations'
import type { SearchResult } from '~/api/generated/types.gen'
import type { Endpoint } from '~/api/operation'
import { fuzzyFilter } from '~/lib/fuzzy-match'
import { stringifySearch } from '~/lib/search'
import * as messages from '~/messages/search'
import { powerAction } from '~/resource/instance-actions'
import { instanceRefusal } from '~/resource/instance-state'
import type { InstanceRunState } from '~/resource/instance-state'
import { ResultState } from '~/resource/result-state'
import {
  isInOtherSilo,
  resultContainers,
  resultIcon,
  resultName,
  resultPath,
  resultProject,
  resultViewer,
} from '~/resource/search-results'
import type { Viewer } from '~/resource/search-results'
import type { MenuIcon } from '~/ui/menu'
import type { Needs } from '~/ui/refusal-context'

import type { Action } from './action-registry'
import type { InstanceVerb, NewKind } from './palette-commands'
import type { Session } from './session'

/** Why the person may not call an operation in a project. */
type RefuseIn = (project: string, needs: Needs) => ReactNode

/** Opens what the search found. */
export function resultActions(results: readonly SearchResult[], session: Session): Action[] {
  const viewer = resultViewer(session)
  return results.map((result) => {
    const href = resultPath(result, viewer)
    return {
      id: `result-${result.kind}-${result.id}`,
      label: resultName(result),
      detail: detailOf(result, session),
      badge: result.state && <ResultState {...result} />,
      group: messages.kindLabel[result.kind] ?? result.kind,
      icon: resultIcon(result.kind),
      href,
      disabledReason: href === undefined ? noScreenReason(result, viewer) : undefined,
    }
  })
}

const noScreenReason = (result: SearchResult, viewer: Viewer) =>
  isInOtherSilo(result, viewer) ? messages.otherSiloError : messages.noScreenError

/** Opens the list of everything that a text finds, of one kind if one is chosen. */
export function allResultsAction(text: string, kind: string | undefined): Action {
  return {
    id: 'all-results',
    label: messages.showAllLabel,
    group: messages.searchTitle,
    icon: Search,
    href: `/search${stringifySearch({ q: text, kind })}`,
  }
}

/** What contains the result, and what of it matched if that is not its name. */
function detailOf(result: SearchResult, session: Session): string {
  const { field, text: value } = result.matched
  const containers = resultContainers(result, resultViewer(session)).join(' / ')
  const isName = field === 'name' || value === resultName(result)
  return [containers, isName ? '' : messages.matchedText(field, value)].filter(Boolean).join(' · ')
}

const VERB_NEEDS: Record<InstanceVerb, Endpoint> = {
  start: instanceStart,
  stop: instanceStop,
  reboot: instanceReboot,
  serial: instanceSerialConsoleStream,
}

/** Names of the projects that the results are in, each once. */
export const projectsOf = (results: readonly SearchResult[]): string[] => [
  ...new Set(results.map(resultProject).filter((project) => project !== '')),
]

/** Does something to the instances that the search found. Where that is not possible, the action says why. */
export function instanceVerbActions(
  verb: InstanceVerb,
  results: readonly SearchResult[],
  session: Session,
  refuse: RefuseIn,
): Action[] {
  return results
    .filter(({ kind }) => kind === 'instance')
    .map((result) => {
      const project = resultProject(result)
      const isElsewhere = isInOtherSilo(result, resultViewer(session))
      const action = instanceVerbAction(verb, result, project)
      return {
        ...action,
        group: messages.kindLabel.instance,
        detail: detailOf(result, session),
        badge: result.state && <ResultState {...result} />,
        disabledReason: isElsewhere
          ? messages.otherSiloError
          : (refuse(project, VERB_NEEDS[verb]) ?? action.disabledReason),
      }
    })
}

function instanceVerbAction(verb: InstanceVerb, result: SearchResult, project: string): Action {
  const instance = {
    id: result.id,
    name: resultName(result),
    runState: (result.state ?? 'creating') as InstanceRunState,
  }
  const label = messages.instanceVerbLabel[verb](instance.name)
  if (verb !== 'serial') return powerAction(verb, label, instance, project)
  return {
    id: `instance-serial-${instance.id}`,
    label,
    icon: SquareTerminal,
    disabledReason: instanceRefusal('serialConsole', instance),
    href: `/projects/${project}/instances/${instance.name}/serial-console`,
  }
}

const NEW_FORMS: Record<NewKind, { icon: MenuIcon; path: string; needs: Endpoint }> = {
  instance: { icon: Server, path: 'instances-new', needs: instanceCreate },
  disk: { icon: HardDrive, path: 'disks-new', needs: diskCreate },
  snapshot: { icon: Camera, path: 'snapshots-new', needs: snapshotCreate },
  image: { icon: Images, path: 'images-new', needs: imageCreate },
  vpc: { icon: Network, path: 'vpcs-new', needs: vpcCreate },
  floatingIp: { icon: Globe, path: 'floating-ips-new', needs: floatingIpCreate },
  group: { icon: Ungroup, path: 'affinity-new', needs: antiAffinityGroupCreate },
}

/** Projects that are offered when none is named. */
const MAX_PROJECTS = 5

/**
 * The projects in which something new is offered: those that are named, or else the one whose screen is shown, or else the first few.
 */
export function projectsForNew(
  named: string,
  projects: readonly string[],
  pathname: string,
): string[] {
  if (named !== '') return fuzzyFilter(projects, named, (name) => name).slice(0, MAX_PROJECTS)
  const [, shown] = /^\/projects\/([^/]+)\//.exec(pathname) ?? []
  return shown === undefined ? projects.slice(0, MAX_PROJECTS) : [shown]
}

/** Opens the forms for something new in these projects. */
export const newActions = (
  kinds: readonly NewKind[],
  projects: readonly string[],
  refuse: RefuseIn,
): Action[] =>
  projects.flatMap((project) =>
    kinds.map((kind) => {
      const { icon, path, needs } = NEW_FORMS[kind]
      return {
        id: `new-${kind}-${project}`,
        label: messages.newInProjectLabel[kind](project),
        group: messages.newLabel,
        icon,
        href: `/projects/${project}/${path}`,
        disabledReason: refuse(project, needs),
      }
    }),
  )
