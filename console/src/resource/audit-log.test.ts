import { afterEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { AuditLogEntry } from '~/api/generated/types.gen'
import { rangeFromSearch, searchFromRange } from '~/lib/date-range'

import { auditCsv, auditJson, auditParams, matchesAuditFilter, readAuditLog } from './audit-log'
import { resourcePath } from './audit-resource'
import { AUDIT_RANGE, auditSearch } from './audit-search'

const now = new Date('2026-11-21T22:00:30.500Z')

const entry: AuditLogEntry = {
  id: 'e1',
  timeStarted: new Date('2026-11-21T21:00:00.000Z'),
  timeCompleted: new Date('2026-11-21T21:00:00.250Z'),
  operationId: 'instance_create',
  requestId: 'r1',
  requestUri: '/v1/instances?project=web',
  sourceIp: '192.0.2.1',
  userAgent: '=cmd()',
  authMethod: 'session_cookie',
  actor: { kind: 'silo_user', siloId: 's1', siloUserId: 'u1' },
  result: { kind: 'success', httpStatusCode: 201 },
}
const refused: AuditLogEntry = {
  ...entry,
  id: 'e2',
  operationId: 'login_local',
  actor: { kind: 'unauthenticated' },
  authMethod: null,
  userAgent: null,
  result: { kind: 'error', httpStatusCode: 401, errorCode: 'Unauthorized', errorMessage: 'no' },
}

describe('the time range in the URL', () => {
  it('is the last day unless it says otherwise, and keeps nothing that makes no sense', () => {
    expect(auditSearch({})).toEqual({})
    expect(auditSearch({ range: 'lastDay', order: 'newest' })).toEqual({})
    expect(auditSearch({ range: 'lastHour', order: 'oldest' })).toEqual({
      range: 'lastHour',
      order: 'oldest',
    })
    expect(auditSearch({ text: 'web', result: 'error' })).toEqual({ text: 'web', result: 'error' })
    expect(auditSearch({ text: '', result: 'all' })).toEqual({})
    expect(auditSearch({ range: 'custom', start: 'yesterday', end: 'now' })).toEqual({})
    expect(rangeFromSearch({}, AUDIT_RANGE, now)).toEqual({
      preset: 'lastDay',
      start: new Date('2026-11-20T22:00:30.500Z'),
      end: now,
    })
  })

  it.each(['lastHour', 'last3Hours', 'lastDay', 'lastWeek', 'last30Days'])(
    'comes back as it went: %s',
    (range) => {
      const shown = rangeFromSearch(auditSearch({ range }), AUDIT_RANGE, now)
      expect(shown.preset).toBe(range)
      expect(
        rangeFromSearch(auditSearch({ ...searchFromRange(shown, AUDIT_RANGE) }), AUDIT_RANGE, now),
      ).toEqual(shown)
    },
  )

  it('has both ends where it was chosen from the calendar', () => {
    const start = new Date('2026-11-01T00:00:00.000Z')
    const search = auditSearch({
      ...searchFromRange({ preset: 'custom', start, end: now }, AUDIT_RANGE),
    })
    expect(search).toEqual({ start: start.toISOString(), end: now.toISOString() })
    expect(auditParams(search, new Date(0)).query).toEqual({
      startTime: start,
      endTime: now,
      sortBy: 'time_and_id_descending',
    })
  })

  it('is open at its end where it ends now, and the same within a minute', () => {
    const params = auditParams({ order: 'oldest' }, now)
    expect(params.query).toEqual({
      startTime: new Date('2026-11-20T22:00:00.000Z'),
      sortBy: 'time_and_id_ascending',
    })
    expect(auditParams({ order: 'oldest' }, new Date('2026-11-21T22:00:59Z'))).toEqual(params)
  })
})

describe('the filter of a page', () => {
  it('looks at every text and at the result', () => {
    const matches = (text: string, result: 'all' | 'success' | 'error' = 'all') =>
      [entry, refused]
        .filter((each) => matchesAuditFilter(each, { text, result }))
        .map(({ id }) => id)
    expect(matches('')).toEqual(['e1', 'e2'])
    expect(matches(' LOGIN ')).toEqual(['e2'])
    expect(matches('project=web')).toEqual(['e1', 'e2'])
    expect(matches('u1')).toEqual(['e1'])
    expect(matches('', 'error')).toEqual(['e2'])
    expect(matches('login', 'success')).toEqual([])
  })
})

describe('the files', () => {
  it('hold one row for each entry, and no formula', () => {
    const [, first, second] = auditCsv([entry, refused]).split('\r\n')
    expect(first).toBe(
      "2026-11-21T21:00:00.250Z,2026-11-21T21:00:00.000Z,instance_create,silo_user,u1,s1,session_cookie,success,201,,,/v1/instances?project=web,r1,192.0.2.1,'=cmd(),e1",
    )
    expect(second).toContain('login_local,unauthenticated,,,,error,401,Unauthorized,no,')
  })

  it('hold what the API says, as it says it', () => {
    const [first] = JSON.parse(auditJson([entry])) as Record<string, unknown>[]
    expect(first).toMatchObject({
      time_completed: '2026-11-21T21:00:00.250Z',
      actor: { kind: 'silo_user', silo_user_id: 'u1' },
      result: { http_status_code: 201 },
    })
  })

  const pages = (count: number, size = 1_000) =>
    vi.fn(async (url: string) => {
      const page = Number(new URL(url, 'http://croft').searchParams.get('page_token') ?? 0)
      const items = page < count ? Array.from({ length: size }, () => ({ id: String(page) })) : []
      return Response.json({ items, next_page: items.length > 0 ? String(page + 1) : null })
    })

  afterEach(() => configureTransport({ fetch }))

  it('hold all pages of the range', async () => {
    const fetchPage = pages(3)
    configureTransport({ host: '', fetch: fetchPage })
    const signal = new AbortController().signal
    const { entries, isCut } = await readAuditLog(auditParams({}, now), signal)
    expect(entries).toHaveLength(3_000)
    expect(isCut).toBe(false)
    expect(fetchPage.mock.calls[1]?.[0]).toContain('page_token=1')
  })

  it('end where they would become too large', async () => {
    configureTransport({ host: '', fetch: pages(60) })
    const signal = new AbortController().signal
    const { entries, isCut } = await readAuditLog(auditParams({}, now), signal)
    expect(entries).toHaveLength(50_000)
    expect(isCut).toBe(true)
  })
})

describe('where the console shows what a request was about', () => {
  const path = (requestUri: string, change: Partial<AuditLogEntry> = {}) =>
    resourcePath({ ...entry, requestUri, ...change }, 's1')

  it.each([
    ['/v1/projects', '/projects'],
    ['/v1/projects/web', '/projects/web/instances'],
    ['/v1/instances?project=web', '/projects/web/instances'],
    ['/v1/instances/db/stop?project=web', '/projects/web/instances/db/storage'],
    ['/v1/disks/data?project=web', '/projects/web/disks/data'],
    ['/v1/disks?project=web', '/projects/web/disks'],
    ['/v1/vpcs/lan?project=web', '/projects/web/vpcs/lan/firewall-rules'],
    ['/v1/vpc-firewall-rules?project=web&vpc=lan', '/projects/web/vpcs/lan/firewall-rules'],
    ['/v1/vpc-subnets/a?project=web&vpc=lan', '/projects/web/vpcs/lan/subnets'],
    ['/v1/anti-affinity-groups/g?project=web', '/projects/web/affinity/g'],
    ['/v1/system/silos/shop/quotas', '/system/silos/shop'],
    ['/v1/system/ip-pools', '/system/networking/ip-pools'],
    ['/v1/system/hardware/sleds/x/provision-policy', '/system/inventory/sleds/x/instances'],
    ['/v1/instances/2c4f', undefined],
    ['/v1/vpc-subnets/a?project=web', undefined],
    ['/v1/me/ssh-keys', undefined],
    ['', undefined],
  ])('%s', (uri, expected) => {
    expect(path(uri)).toBe(expected)
  })

  it('is nowhere once it was deleted, and not for people of other silos', () => {
    expect(path('/v1/disks/a?project=web', { operationId: 'disk_delete' })).toBeUndefined()
    expect(
      path('/v1/disks/a?project=web', { operationId: 'disk_delete', result: refused.result }),
    ).toBe('/projects/web/disks/a')
    const stranger = { kind: 'silo_user', siloId: 's2', siloUserId: 'u2' } as const
    expect(path('/v1/instances?project=web', { actor: stranger })).toBeUndefined()
    expect(path('/v1/system/silos/shop', { actor: stranger })).toBe('/system/silos/shop')
  })
})
