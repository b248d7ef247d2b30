import { describe, expect, it } from 'vitest'

import { camelCase, fillPath, fromWire, queryString, snakeCase, toWire } from './wire'

describe('names', () => {
  it.each([
    ['time_run_state_updated', 'timeRunStateUpdated'],
    ['ipv4_block', 'ipv4Block'],
    ['name', 'name'],
  ])('%s is %s in the console, and back', (wire, camel) => {
    expect(camelCase(wire)).toBe(camel)
    expect(snakeCase(camel)).toBe(wire)
  })
})

describe('fromWire', () => {
  it('renames keys at every depth', () => {
    expect(fromWire({ items: [{ boot_disk_id: 'a', disk_source: { block_size: 512 } }] })).toEqual({
      items: [{ bootDiskId: 'a', diskSource: { blockSize: 512 } }],
    })
  })

  it.each(['time_created', 'start_time', 'auto_restart_cooldown_expiration', 'timestamp'])(
    'makes a date of %s',
    (key) => {
      const at = '2021-03-01T12:00:00Z'
      expect(Object.values(fromWire({ [key]: at }) as object)).toEqual([new Date(at)])
    },
  )

  it('keeps fractions of a second down to the millisecond', () => {
    const parsed = fromWire({ time_created: '2021-03-01T00:00:00.123456789012Z' })
    expect(parsed).toEqual({ timeCreated: new Date('2021-03-01T00:00:00.123Z') })
  })

  it.each([
    ['another key', { name: '2021-03-01T12:00:00Z' }, { name: '2021-03-01T12:00:00Z' }],
    [
      'an offset instead of Z',
      { time_a: '2021-03-01T12:00:00+02:00' },
      { timeA: '2021-03-01T12:00:00+02:00' },
    ],
    [
      'a plain array',
      { timestamp: ['2021-03-01T12:00:00Z'] },
      { timestamp: ['2021-03-01T12:00:00Z'] },
    ],
    ['null', { time_a: null }, { timeA: null }],
  ])('makes no date of %s', (_, wire, expected) => {
    expect(fromWire(wire)).toEqual(expected)
  })

  it('finds dates in objects inside arrays', () => {
    expect(fromWire([{ end_time: '2021-03-01T12:00:00Z' }])).toEqual([
      { endTime: new Date('2021-03-01T12:00:00Z') },
    ])
  })
})

describe('toWire', () => {
  it('renames keys at every depth and leaves values alone', () => {
    const body = { bootDisk: { diskSource: { blockSize: 512 }, none: null }, sshPublicKeys: ['aB'] }
    expect(toWire(body)).toEqual({
      boot_disk: { disk_source: { block_size: 512 }, none: null },
      ssh_public_keys: ['aB'],
    })
  })

  it('prints dates as ISO strings', () => {
    const body = toWire({ timeExpires: new Date(0) })
    expect(JSON.stringify(body)).toBe('{"time_expires":"1970-01-01T00:00:00.000Z"}')
  })

  it('leaves what prints itself to do so', () => {
    const credential = { rawId: 1, toJSON: () => ({ rawId: 'AQ', clientDataJSON: 'Ag' }) }
    expect(JSON.stringify(toWire({ setUp: 's', credential }))).toBe(
      '{"set_up":"s","credential":{"rawId":"AQ","clientDataJSON":"Ag"}}',
    )
  })
})

describe('queryString', () => {
  it('drops null and undefined, repeats arrays, prints dates', () => {
    expect(
      queryString({
        pageToken: undefined,
        sortBy: null,
        limit: 50,
        ids: ['a', 'b'],
        startTime: new Date(0),
      }),
    ).toBe('?limit=50&ids=a&ids=b&start_time=1970-01-01T00%3A00%3A00.000Z')
  })

  it('is empty without values', () => {
    expect(queryString({ pageToken: undefined })).toBe('')
    expect(queryString()).toBe('')
  })
})

describe('fillPath', () => {
  it('fills every placeholder', () => {
    expect(fillPath('/v1/instances/{instance}/disks/{disk}', { instance: 'db', disk: 'd-1' })).toBe(
      '/v1/instances/db/disks/d-1',
    )
  })

  it('keeps a hostile value inside its segment', () => {
    expect(fillPath('/v1/projects/{project}', { project: '../me?x#y' })).toBe(
      '/v1/projects/..%2Fme%3Fx%23y',
    )
  })
})
