import { describe, expect, it } from 'vitest'

import type { InstanceActivity } from '~/api/generated/types.gen'

import {
  activityBadge,
  activityDetails,
  activityHeadline,
  constraintLink,
} from './instance-activity'

const failed: InstanceActivity = {
  id: 'a',
  kind: 'failed',
  timeCreated: new Date(0),
  timeLast: new Date(0),
  count: 1,
  cause: 'The machine broke.',
  action: 'Croft gave back what it held.',
  advice: 'Start it again.',
  constraint: null,
  operatorDetail: null,
  serialTail: null,
  operation: null,
}

const start = (result: NonNullable<InstanceActivity['operation']>['result']): InstanceActivity => ({
  ...failed,
  kind: 'operation',
  action: null,
  advice: null,
  operation: {
    operationId: 'instance_start',
    actor: { id: 'u', displayName: 'ann' },
    result,
  },
})

describe('an entry of the activity', () => {
  it('says what happened, what was done about it and what can be done', () => {
    expect(activityBadge(failed)).toEqual({ title: 'Failed', tone: 'danger' })
    expect(activityHeadline(failed)).toBe('The machine broke.')
    expect(activityDetails(failed).map(({ label }) => label)).toEqual([
      'What Croft did',
      'What you can do',
    ])
  })

  it('that is a request says whose it was, and why it was refused', () => {
    const done = start({ kind: 'success', httpStatusCode: 202 })
    expect(activityBadge(done).tone).toBe('neutral')
    expect(activityHeadline(done)).toBe('Instance start by ann')
    expect(activityDetails(done)).toEqual([])
    const refused = start({
      kind: 'error',
      httpStatusCode: 507,
      errorCode: 'InsufficientCapacity',
      errorMessage: 'no room',
    })
    expect(activityBadge(refused).tone).toBe('danger')
    expect(activityDetails(refused)).toEqual([{ label: 'Reason', text: 'no room' }])
    const nobody = { ...done.operation, operationId: 'instance_start', actor: null }
    const result = { kind: 'success', httpStatusCode: 202 } as const
    expect(activityHeadline({ ...done, operation: { ...nobody, result } })).toBe(
      'Instance start by an operator',
    )
  })

  it('links what causes it where that has a page', () => {
    const group = { kind: 'anti_affinity_group', id: 'g', name: 'far' } as const
    expect(constraintLink(group, 'web')).toEqual({
      text: 'Anti-affinity group far',
      href: '/projects/web/affinity/far',
    })
    expect(constraintLink({ ...group, kind: 'affinity_group' }, 'web').href).toBeUndefined()
    expect(constraintLink({ kind: 'disk', id: 'd', name: null }, 'web').text).toBe('Disk d')
  })
})
