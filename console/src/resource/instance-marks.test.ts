import { expect, it } from 'vitest'

import type { ActivityKind, InstanceActivity } from '~/api/generated/types.gen'

import { instanceMarks } from './instance-marks'

const entry = (kind: ActivityKind, minute: number, cause = 'It broke.'): InstanceActivity => ({
  id: `${kind}-${minute}`,
  kind,
  timeCreated: new Date(0),
  timeLast: new Date(minute * 60_000),
  count: 1,
  cause,
})

const request = (operationId: string, minute: number, isRefused = false): InstanceActivity => ({
  ...entry('operation', minute),
  operation: {
    operationId,
    actor: { id: 'u', displayName: 'ann' },
    result: isRefused
      ? { kind: 'error', httpStatusCode: 409, errorCode: 'Conflict', errorMessage: 'no' }
      : { kind: 'success', httpStatusCode: 202 },
  },
})

it('marks what happened to the machine, in order of time', () => {
  const marks = instanceMarks([
    request('instance_stop', 4),
    entry('failed', 3),
    entry('machine_started', 2, 'The machine runs.'),
    request('instance_start', 1),
    request('instance_update', 1),
    request('instance_reboot', 5, true),
    entry('waiting', 1),
  ])
  expect(marks.map(({ time, label, isFailure }) => [time / 60_000, label, isFailure])).toEqual([
    [2, 'Started: The machine runs.', false],
    [3, 'Failed: It broke.', true],
    [4, 'Instance stop by ann', false],
  ])
})
