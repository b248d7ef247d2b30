import { useQuery } from '@tanstack/react-query'
import { createContext, use, useMemo } from 'react'
import type { ReactNode } from 'react'

import type { Administrators, Permissions, SufficientRole } from '~/api/generated/types.gen'
import * as text from '~/messages/rights'
import { RefusalContext, useRefusal } from '~/ui/refusal-context'
import type { Refuse } from '~/ui/refusal-context'

import { permissionsOn, rightsOf, rightTo } from './permissions'
import type { RightsObject } from './permissions'
import { useSession } from './session'
import { currentView } from './view-as'

/** How many people and groups a refusal names. */
const SHOWN_ADMINISTRATORS = 3

/** The names of the objects that the screen is about, and whether it is a system screen. */
interface Places {
  isSystem: boolean
  silo?: string
  project?: string
}

const PlacesContext = createContext<Places>({ isSystem: false })

interface RightsOnProps {
  object: RightsObject
  /** A system screen. Its refusals name a role on the fleet. */
  isSystem?: boolean
  children: ReactNode
}

/**
 * Controls inside refuse what the server says the person may not do with this object. What its answer does not speak of is decided by the
 * object around. The loader of the screen fetches the answer beside everything else; until one is there that was not fetched by a loader,
 * nothing is refused, and the server decides.
 */
export function RightsOn({ object, isSystem, children }: RightsOnProps) {
  const outer = useRefusal()
  const { siloName: ownSilo } = useSession().me
  const outerPlaces = use(PlacesContext)
  const places = useMemo<Places>(
    () => ({
      ...outerPlaces,
      silo: ('silo' in object && object.silo) || (outerPlaces.silo ?? ownSilo),
      ...('project' in object && { project: object.project }),
      ...(isSystem !== undefined && { isSystem }),
    }),
    [outerPlaces, ownSilo, object, isSystem],
  )
  const { data } = useQuery(permissionsOn(object))
  const refuse = useMemo(
    () => refuseBy(data, places, outer, currentView()?.refuse),
    [data, places, outer],
  )
  return (
    <PlacesContext value={places}>
      <RefusalContext value={refuse}>{children}</RefusalContext>
    </PlacesContext>
  )
}

/**
 * Refuses what the server says the person may not do. What its answer does not speak of is decided by the object around.
 *
 * @param inView refuses what the person may do and the present view as another user does not allow.
 */
export function refuseBy(
  data: Permissions | undefined,
  places: Places,
  outer?: Refuse,
  inView?: Refuse,
): Refuse {
  const rights = data && rightsOf(data)
  return (needs) => {
    const right = needs && rights && rightTo(rights, needs)
    if (!right) return outer?.(needs)
    return right === 'allowed' ? inView?.(needs) : refusalText(right, places, data.administrators)
  }
}

/** Names the missing role, the nearest sufficient one or on system screens the one on the fleet, and who can give it. */
function refusalText(
  roles: readonly SufficientRole[],
  { isSystem, silo, project }: Places,
  administrators: readonly Administrators[],
) {
  const nearest = (isSystem && roles.find(({ on }) => on === 'fleet')) || roles[0]
  if (!nearest) return text.ownerOnlyError
  const { role, on } = nearest
  const name = { fleet: undefined, silo, project, user: undefined }[on]
  return text.roleNeededError[on](role, name ?? '', grantors(on, administrators))
}

/** From the object outwards. What a user has belongs to the user's silo. */
const LEVELS = { project: 0, user: 1, silo: 1, fleet: 2 } as const

/** The administrators of the nearest level that can give a role. */
function grantors(on: SufficientRole['on'], administrators: readonly Administrators[]) {
  const level = administrators.find((each) => LEVELS[each.on] >= LEVELS[on])
  if (!level) return text.adminsText
  const names = level.first
    .slice(0, SHOWN_ADMINISTRATORS)
    .map(({ identityType, displayName }) =>
      identityType === 'silo_group' ? text.groupMembersText(displayName) : displayName,
    )
  return text.grantorsText(names, level.total - names.length)
}
