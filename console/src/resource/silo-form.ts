import type {
  CertificateCreate,
  FleetRole,
  SiloCreate,
  SiloIdentityMode,
} from '~/api/generated/types.gen'
import { GIB } from '~/lib/units'
import * as text from '~/messages/silo'

/** The values of the form for a silo. */
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

/** The initial values of the form. */
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

/** The fleet roles that each silo role gives, by silo role. */
function mappedFleetRoles({
  grantsFleetAdmin,
  grantsFleetViewer,
}: SiloFormValues): Record<string, FleetRole[]> {
  return {
    ...(grantsFleetAdmin && { admin: ['admin'] }),
    ...(grantsFleetViewer && { viewer: ['viewer'] }),
  }
}

/** Converts GiB, with up to three decimals, to whole bytes. */
export function gibToBytes(gib: number | null): number {
  return Math.round((gib ?? 0) * GIB)
}

/** What is wrong with a number of CPUs in a quota, or `undefined`. */
export function cpuQuotaProblem(cpus: number | null): string | undefined {
  return cpus === null || Number.isInteger(cpus) ? undefined : text.wholeNumberError
}
