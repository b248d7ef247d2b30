import { describe, expect, it } from 'vitest'

import { projectSchemas } from './metric-schemas'
import { completionsAt } from './oxql-completion'

/** The options at the end of a query. */
const after = (query: string) =>
  completionsAt(query, query.length, projectSchemas).options.map(({ text }) => text)

describe('completionsAt', () => {
  it('begins with get, and offers the other operations later', () => {
    expect(after('')).toEqual(['get'])
    expect(after('{ ')).toEqual(['get'])
    expect(after('get a:b | ')).toContain('group_by')
    expect(after('get a:b | ')).not.toContain('get')
    expect(after('get a:b | fil')).toEqual(['filter'])
  })

  it('knows the timeseries, those that begin with the word first', () => {
    expect(after('get virtual_machine:v')).toEqual(['virtual_machine:vcpu_usage'])
    expect(after('get ')).toHaveLength(projectSchemas.length)
    expect(after('get bytes_w')).toEqual(['virtual_disk:bytes_written'])
  })

  it('offers the fields of what is read, and what every point has', () => {
    const fields = after('get virtual_machine:vcpu_usage | filter ')
    expect(fields.slice(0, 3)).toEqual(['timestamp', 'start_time', 'datum'])
    expect(fields).toContain('vcpu_id')
    expect(fields).not.toContain('disk_id')
    expect(after('get virtual_machine:vcpu_usage | filter (inst')).toEqual(['instance_id'])
  })

  it('goes through a condition: comparison, value, what comes next', () => {
    const filter = 'get virtual_machine:vcpu_usage | filter '
    expect(after(`${filter}state `)).toContain('~=')
    expect(after(`${filter}state == `)).toEqual(['"run"', '"emulation"', '"idle"', '"waiting"'])
    expect(after(`${filter}state == "r`)).toEqual(['"run"'])
    expect(after(`${filter}timestamp > @n`)[0]).toBe('@now() - 1h')
    expect(after(`${filter}state == "run" `)).toEqual(['&&', '||', '|'])
    expect(after(`${filter}state == "run" && `)).toContain('vcpu_id')
  })

  it('knows how to align and to group', () => {
    const get = 'get virtual_disk:reads | '
    expect(after(`${get}align `)[0]).toBe('mean_within(1m)')
    expect(after(`${get}group_by [disk`)).toEqual(['disk_id'])
    expect(after(`${get}group_by [disk_id, `)).toContain('block_size')
    expect(after(`${get}group_by [disk_id], `)).toEqual(['sum', 'mean'])
  })

  it('says where the word begins that it completes', () => {
    expect(completionsAt('get virt', 8, projectSchemas).from).toBe(4)
    expect(completionsAt('get a:b | filter ', 17, projectSchemas).from).toBe(17)
    expect(completionsAt('get virt | first 5', 8, projectSchemas).from).toBe(4)
  })
})
