import { describe, expect, it } from 'vitest'

import { GIB } from '~/lib/units'

import { cpuQuotaProblem, SILO_FORM_DEFAULTS, siloCreateBody } from './silo-form'
import type { SiloFormValues } from './silo-form'

const body = (values: Partial<SiloFormValues>) =>
  siloCreateBody({ ...SILO_FORM_DEFAULTS, name: 'maze', ...values })

describe('siloCreateBody', () => {
  it('needs no certificates and grants nothing by itself', () => {
    expect(body({})).toEqual({
      name: 'maze',
      description: '',
      discoverable: true,
      identityMode: 'saml_jit',
      adminGroupName: undefined,
      quotas: { cpus: 0, memory: 0, storage: 0 },
      mappedFleetRoles: {},
      tlsCertificates: [],
    })
  })

  it('sends whole bytes', () => {
    expect(body({ cpus: 4, memory: 1.001, storage: 2 }).quotas).toEqual({
      cpus: 4,
      memory: Math.round(1.001 * GIB),
      storage: 2 * GIB,
    })
  })

  it('sends the administrators group of a SAML silo only, and no blank one', () => {
    expect(body({ adminGroupName: ' ops ' }).adminGroupName).toBe('ops')
    expect(body({ adminGroupName: '  ' }).adminGroupName).toBeUndefined()
    expect(
      body({ adminGroupName: 'ops', identityMode: 'local_only' }).adminGroupName,
    ).toBeUndefined()
  })

  it('maps silo roles to fleet roles whatever the identity mode', () => {
    expect(
      body({ grantsFleetAdmin: true, grantsFleetViewer: true, identityMode: 'local_only' })
        .mappedFleetRoles,
    ).toEqual({ admin: ['admin'], viewer: ['viewer'] })
  })
})

describe('cpuQuotaProblem', () => {
  it('takes whole numbers', () => {
    expect(cpuQuotaProblem(4)).toBeUndefined()
    expect(cpuQuotaProblem(null)).toBeUndefined()
    expect(cpuQuotaProblem(1.5)).toBe('Must be a whole number')
  })
})
