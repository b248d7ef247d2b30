import { describe, expect, it } from 'vitest'

import { metricQueryLines, metricQueryText, periodSeconds } from './metric-query'

const end = new Date('2026-11-21T12:00:00.789Z')
const hoursBefore = (hours: number) => ({ start: new Date(end.getTime() - hours * 3_600_000), end })

describe('periodSeconds', () => {
  it.each([
    [1, 60],
    [3, 180],
    [24, 1440],
    [1 / 6, 10],
    [1 / 60, 5],
    [0, 5],
  ])('of %d hours is %d', (hours, seconds) =>
    expect(periodSeconds(hoursBefore(hours))).toBe(seconds),
  )
})

const running = {
  metric: 'virtual_machine:vcpu_usage',
  range: hoursBefore(1),
  filters: { instance_id: 'abc', state: 'run', nothing: undefined },
  groupBy: ['vcpu_id'],
}

describe('metricQueryText', () => {
  it('is one line, begins two periods early and leaves out empty filters', () => {
    expect(metricQueryText(running)).toBe(
      'get virtual_machine:vcpu_usage' +
        ' | filter timestamp >= @2026-11-21T10:58:00.000 && timestamp < @2026-11-21T12:00:00.000' +
        ' && instance_id == "abc" && state == "run"' +
        ' | align mean_within(60s) | group_by [vcpu_id], sum',
    )
  })

  it('groups only when asked to', () => {
    const query = { ...running, groupBy: undefined }
    expect(metricQueryText(query)).toMatch(/ \| align mean_within\(60s\)$/)
  })
})

describe('metricQueryLines', () => {
  it('gives each operation and each condition a line', () => {
    expect(metricQueryLines(running)).toBe(
      [
        'get virtual_machine:vcpu_usage',
        '  | filter timestamp >= @2026-11-21T10:58:00.000',
        '      && timestamp < @2026-11-21T12:00:00.000',
        '      && instance_id == "abc"',
        '      && state == "run"',
        '  | align mean_within(60s)',
        '  | group_by [vcpu_id], sum',
      ].join('\n'),
    )
  })
})
