import { describe, expect, it } from 'vitest'

import { packetText, traceBody, validateNumber } from './trace-form'
import { asksTheSame, isQuestion, TRACE_FORM_DEFAULTS, traceSearch } from './trace-search'
import type { TraceFormValues } from './trace-search'

const asked = (values: Partial<TraceFormValues>) =>
  traceBody({
    ...TRACE_FORM_DEFAULTS,
    sourceInstance: 'web',
    destinationInstance: 'db',
    ...values,
  })

describe('the question', () => {
  it('goes from instance to instance', () => {
    expect(asked({ port: '5432' })).toEqual({
      source: { type: 'instance', value: 'web' },
      sourceIp: undefined,
      destination: { type: 'instance', value: 'db' },
      protocol: 'tcp',
      port: 5432,
      icmp: undefined,
    })
  })

  it('names the interface that is not the primary one, and the address it forwards from', () => {
    expect(asked({ sourceInterface: 'nic-1', sentFrom: ' 10.9.0.1 ' })).toMatchObject({
      source: { type: 'interface', value: 'nic-1' },
      sourceIp: '10.9.0.1',
    })
  })

  it('goes from address to address, and forgets what was entered for instances', () => {
    const values = {
      sourceType: 'ip',
      sourceIp: '192.0.2.7 ',
      sentFrom: '10.9.0.1',
      destinationType: 'ip',
      destinationIp: '172.30.0.5',
    } as const
    expect(asked(values)).toMatchObject({
      source: { type: 'ip', value: '192.0.2.7' },
      sourceIp: undefined,
      destination: { type: 'ip', value: '172.30.0.5' },
    })
  })

  it('has a port or an ICMP type only where the protocol has one', () => {
    expect(asked({ protocol: 'udp', port: '53' })).toMatchObject({ port: 53, icmp: undefined })
    expect(asked({ protocol: 'icmp', icmpType: '3', icmpCode: '1' })).toMatchObject({
      port: undefined,
      icmp: { icmpType: 3, code: 1 },
    })
    expect(asked({ protocol: 'other' })).toMatchObject({ port: undefined, icmp: undefined })
  })

  it.each([
    [{ protocol: 'tcp', port: '22' }, 'TCP to port 22'],
    [{ protocol: 'icmp' }, 'ICMP echo request'],
    [{ protocol: 'icmp', icmpType: '3', icmpCode: '1' }, 'ICMP type 3, code 1'],
    [{ protocol: 'other' }, 'another protocol'],
  ] as const)('is put in words: %j', (values, words) => {
    expect(packetText(asked(values))).toBe(words)
  })
})

describe('a number', () => {
  it.each(['1', '65535', ' 22 '])('%j is a port', (text) => {
    expect(validateNumber(text, 1, 65535)).toBeUndefined()
  })

  it.each(['', '0', '65536', '22a', '-1', '1.5', '1e3', '000022'])('%j is no port', (text) => {
    expect(validateNumber(text, 1, 65535)).toBe('Must be a number from 1 to 65535')
  })
})

describe('the question in the URL', () => {
  const values = {
    ...TRACE_FORM_DEFAULTS,
    sourceInstance: 'web',
    destinationType: 'ip' as const,
    destinationIp: '10.0.0.5',
    port: '443',
  }

  it('keeps what is not as it is at the beginning, and comes back as it went', () => {
    const search = traceSearch(values)
    expect(search).toEqual({
      sourceInstance: 'web',
      destinationType: 'ip',
      destinationIp: '10.0.0.5',
      port: '443',
    })
    expect({ ...TRACE_FORM_DEFAULTS, ...traceSearch({ ...search }) }).toEqual(values)
  })

  it('ignores what makes no sense', () => {
    expect(
      traceSearch({ protocol: 'smtp', sourceType: 'x', port: ['1'], pageToken: 'y', sentFrom: '' }),
    ).toEqual({})
  })

  it('is asked only where it has both ends', () => {
    expect(isQuestion(traceSearch(values))).toBe(true)
    expect(isQuestion({})).toBe(false)
    expect(isQuestion({ sourceInstance: 'web' })).toBe(false)
    expect(isQuestion({ sourceType: 'ip', sourceInstance: 'web', destinationInstance: 'db' })).toBe(
      false,
    )
    expect(isQuestion({ sourceType: 'ip', sourceIp: '192.0.2.1', destinationInstance: 'db' })).toBe(
      true,
    )
  })

  it('is the same whatever the order of its parts', () => {
    expect(asksTheSame({ port: '1', sourceIp: 'a' }, { sourceIp: 'a', port: '1' })).toBe(true)
    expect(asksTheSame({ port: '1' }, { port: '2' })).toBe(false)
  })
})
