import { describe, expect, it } from 'vitest'

import { fleetRoleMappings } from './silo-fleet-roles'

describe('fleetRoleMappings', () => {
  it('reads the keys as roles of the silo', () => {
    expect(fleetRoleMappings({ viewer: ['admin'] })).toEqual([
      { siloRole: 'viewer', fleetRole: 'admin' },
    ])
  })

  it('lists the strongest roles first', () => {
    expect(fleetRoleMappings({ viewer: ['viewer'], admin: ['viewer', 'admin'] })).toEqual([
      { siloRole: 'admin', fleetRole: 'admin' },
      { siloRole: 'admin', fleetRole: 'viewer' },
      { siloRole: 'viewer', fleetRole: 'viewer' },
    ])
    expect(fleetRoleMappings({})).toEqual([])
  })
})
