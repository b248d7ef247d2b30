import { describe, expect, it } from 'vitest'

import type { RouterRoute } from '~/api/generated/types.gen'

import { ROUTE_FORM_DEFAULTS, routeBody, routeChanges, routeFormValues } from './router-route-form'

const stored = {
  name: 'default-v4',
  description: 'The way out',
  kind: 'default',
  destination: { type: 'ip_net', value: '0.0.0.0/0' },
  target: { type: 'internet_gateway', value: 'default' },
} as RouterRoute

describe('a route that is made', () => {
  it('carries type and value of both ends', () => {
    const values = {
      ...ROUTE_FORM_DEFAULTS,
      name: 'dc',
      destinationType: 'subnet',
      destinationValue: 'web',
      targetType: 'instance',
      targetValue: 'router',
    } as const
    expect(routeBody(values)).toEqual({
      name: 'dc',
      description: '',
      destination: { type: 'subnet', value: 'web' },
      target: { type: 'instance', value: 'router' },
    })
  })

  it('has no value when it drops', () => {
    const values = { ...ROUTE_FORM_DEFAULTS, targetType: 'drop', targetValue: 'left over' } as const
    expect(routeBody(values).target).toEqual({ type: 'drop' })
  })
})

describe('a route that is changed', () => {
  it('is shown as it stands', () => {
    expect(routeFormValues(stored)).toEqual({
      name: 'default-v4',
      description: 'The way out',
      destinationType: 'ip_net',
      destinationValue: '0.0.0.0/0',
      targetType: 'internet_gateway',
      targetValue: 'default',
    })
    expect(routeFormValues({ ...stored, target: { type: 'drop' } }).targetValue).toBe('')
  })

  it('sends nothing but the target of a default route, which may change in nothing else', () => {
    const values = { ...routeFormValues(stored), targetType: 'drop' } as const
    expect(routeChanges(values, stored)).toEqual({
      destination: stored.destination,
      target: { type: 'drop' },
    })
    expect(routeChanges(values, { ...stored, kind: 'custom' })).toMatchObject({
      name: 'default-v4',
      target: { type: 'drop' },
    })
  })
})
