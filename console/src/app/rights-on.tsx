import { useQuery } from '@tanstack/react-query'
import { createContext, use, useMemo } from 'react'
import type { ReactNode } from 'react'

import type { Permissions, SufficientRole } from '~/api/generated/types.gen'
import * as text from '~/messages/rights'
import { RefusalContext, useRefusal } from '~/ui/refusal-context'
import type { Refuse } from '~/ui/refusal-context'

import { permissionsOn, rightsOf, rightTo } from './permissions'
import type { RightsObject } from './permissions'
import { useSession } from './session'

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
  const refuse = useMemo(() => refuseBy(data, places, outer), [data, places, outer])
  return (
    <PlacesContext value={places}>
      <RefusalContext value={refuse}>{children}</RefusalContext>
    </PlacesContext>
  )
}

/** Refuses what the server says the person may not do. What its answer does not speak of is decided by the object around. */
export function refuseBy(data: Permissions | undefined, places: Places, outer?: Refuse): Refuse {
  const rights = data && rightsOf(data)
  return (needs) => {
    const right = needs && rights && rightTo(rights, needs)
    if (!right) return outer?.(needs)
    return right === 'allowed' ? undefined : refusalText(right, places)
  }
}

/** Names the missing role: the nearest sufficient one, or on system screens the one on the fleet. */
function refusalText(roles: readonly SufficientRole[], { isSystem, silo, project }: Places) {
  const nearest = (isSystem && roles.find(({ on }) => on === 'fleet')) || roles[0]
  if (!nearest) return text.ownerOnlyError
  const { role, on } = nearest
  const name = { fleet: undefined, silo, project, user: undefined }[on]
  return text.roleNeededError[on](role, name ?? '')
}
