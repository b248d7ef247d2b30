import { expect, it } from 'vitest'

import { FLOATING_IP_DEFAULTS, floatingIpCreateBody } from './floating-ip-form'

it('leaves to the server what was left empty', () => {
  const values = { ...FLOATING_IP_DEFAULTS, name: 'front', ip: '  ' }
  expect(floatingIpCreateBody(values)).toEqual({ name: 'front', description: '' })
})

it('asks for a certain address of a certain pool', () => {
  const values = { name: 'front', description: 'door', pool: 'public', ip: ' 10.0.0.7 ' }
  expect(floatingIpCreateBody(values)).toEqual({ ...values, ip: '10.0.0.7' })
})
