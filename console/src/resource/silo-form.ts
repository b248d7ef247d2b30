import type {
  CertificateCreate,
  FleetRole,
  SiloCreate,
  SiloIdentityMode,
} from '~/api/generated/types.gen'
import { GIB } from '~/lib/units'
import * as text from '~/messages/silo'

/** What a person enters to make a silo. */
export interface SiloFormValues {
  name: string
  description: string
  discoverable: boolean
  cpus: number | null
  /** GiB */
  memory: number | null
  /** GiB */
  storage: number | null
  identityMode: SiloIdentityMode
  adminGroupName: string
  grantsFleetAdmin: boolean
  grantsFleetViewer: boolean
  tlsCertificates: CertificateCreate[]
}

/** A new silo before anything was entered. */
export const SILO_FORM_DEFAULTS: SiloFormValues = {
  name: '',
  description: '',
  discoverable: true,
  cpus: 0,
  memory: 0,
  storage: 0,
  identityMode: 'saml_jit',
  adminGroupName: '',
  grantsFleetAdmin: false,
  grantsFleetViewer: false,
  tlsCertificates: [],
}

/** The body of `siloCreate`. */
export function siloCreateBody(values: SiloFormValues): SiloCreate {
  const { name, description, discoverable, identityMode, tlsCertificates } = values
  const adminGroupName = values.adminGroupName.trim()
  return {
    name,
    description,
    discoverable,
    identityMode,
    adminGroupName: identityMode === 'saml_jit' && adminGroupName ? adminGroupName : undefined,
    quotas: {
      cpus: values.cpus ?? 0,
      memory: gibToBytes(values.memory),
      storage: gibToBytes(values.storage),
    },
    mappedFleetRoles: mappedFleetRoles(values),
    tlsCertificates,
  }
}

/** Keyed by the role in the silo; the values are the roles in the fleet that it brings. */
function mappedFleetRoles({
  grantsFleetAdmin,
  grantsFleetViewer,
}: SiloFormValues): Record<string, FleetRole[]> {
  return {
    ...(grantsFleetAdmin && { admin: ['admin'] }),
    ...(grantsFleetViewer && { viewer: ['viewer'] }),
  }
}

/** GiB, with up to three decimals, as whole bytes. */
export function gibToBytes(gib: number | null): number {
  return Math.round((gib ?? 0) * GIB)
}

/** What is wrong with a number of CPUs in a quota, or `undefined`. */
export function cpuQuotaProblem(cpus: number | null): string | undefined {
  return cpus === null || Number.isInteger(cpus) ? undefined : text.wholeNumberError
}
