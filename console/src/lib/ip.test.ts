import { describe, expect, it } from 'vitest'

import { compareIps, parseIp, parseIpNet, validateIp, validateIpNet } from './ip'

describe('parseIp', () => {
  it.each(['1.2.3.4', '0.0.0.0', '255.255.255.255', '10.0.0.1'])('accepts IPv4 %s', (address) => {
    expect(parseIp(address)).toEqual({ type: 'v4', address })
  })

  it.each([
    '::',
    '::1',
    '2001:db8::',
    '::1234:5678',
    '2001:db8::1234:5678',
    '2001:DB8::ABCD',
    '::ffff:10.0.0.1',
    '::FFFF:10.0.0.1',
    '::ffff:0:10.0.0.1',
    '::10.0.0.1',
    '64:ff9b::192.0.2.33',
    '2001:db8:3:4::192.0.2.33',
    'fe08::7:8',
    'fe80::7:8%eth0',
    'fe80::%1',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1::3:4:5:6:7:8',
    '2001:0db8:85a3:0000:0000:8a2e:0370:7334',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ])('accepts IPv6 %s', (address) => {
    expect(parseIp(address)).toEqual({ type: 'v6', address })
  })

  it.each([
    '',
    '1',
    ':',
    ':::',
    '1::2::3',
    'a.b.c.d',
    '01.102.103.104',
    '00.0.0.0',
    '127.0.0',
    '127.0.0.1.',
    '.127.0.0.1',
    '127..0.1',
    '256.0.0.0',
    '1.2.3.4.5',
    '1.2.3.-4',
    '1.2.3.4e1',
    ' 1.2.3.4',
    '1.2.3.4 ',
    ' ::1',
    '::1 ',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6::7:8',
    ':1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8:',
    '1:2:3:4:5:6:7:8::',
    '2001:db8::12345',
    '2001:db8::g',
    '2001:db8:3:4:5::192.0.2.33',
    '::ffff:256.0.0.1',
    '1.2.3.4::',
    'fe08::7:8%',
    'fe08::7:8%eth0',
    'fe80::7:8%',
    'fe80::7:8%eth 0',
  ])('refuses %j', (address) => {
    expect(validateIp(address)).toBe('Not a valid IP address')
  })

  it('accepts exactly the octets from 0 to 255', () => {
    for (let octet = 0; octet <= 300; octet += 1) {
      for (const place of [0, 1, 2, 3]) {
        const octets = [10, 20, 30, 40]
        octets[place] = octet
        expect(validateIp(octets.join('.')) === undefined).toBe(octet <= 255)
      }
    }
  })

  it('accepts every place and length of the double colon', () => {
    const groups = ['1', '22', '333', '4444', 'a', 'bc', 'def', 'ABCD']
    for (let start = 0; start <= 8; start += 1) {
      for (let end = start; end <= 8; end += 1) {
        const text = `${groups.slice(0, start).join(':')}::${groups.slice(end).join(':')}`
        expect(validateIp(text) === undefined, text).toBe(end > start)
      }
    }
  })
})

describe('parseIpNet', () => {
  it('reads an address and a width', () => {
    expect(parseIpNet('10.1.1.1/24')).toEqual({ type: 'v4', address: '10.1.1.1', width: 24 })
    expect(parseIpNet('fd9b:870a:4245::/64')).toEqual({
      type: 'v6',
      address: 'fd9b:870a:4245::',
      width: 64,
    })
    expect(parseIpNet('10.0.0.0/04')).toEqual({ type: 'v4', address: '10.0.0.0', width: 4 })
  })

  it.each([
    ['', 'Must contain an IP address and a width, separated by a /'],
    ['10.0.0.0', 'Must contain an IP address and a width, separated by a /'],
    ['10.0.0.0/', 'Must contain an IP address and a width, separated by a /'],
    ['10.0.0.0/ ', 'Must contain an IP address and a width, separated by a /'],
    ['10.0.0.0/8/8', 'Must contain an IP address and a width, separated by a /'],
    ['10.0.0/8', 'Must contain an IP address and a width, separated by a /'],
    ['/8', 'Must contain an IP address and a width, separated by a /'],
    ['10.0.0.0/a', 'Width must be an integer'],
    ['10.0.0.0/-1', 'Width must be an integer'],
    ['10.0.0.0/1.5', 'Width must be an integer'],
    ['10.0.0.0/33', 'Max width for IPv4 is 32'],
    ['::/129', 'Max width for IPv6 is 128'],
  ])('refuses %j', (text, message) => {
    expect(validateIpNet(text)).toBe(message)
  })

  it('accepts every width of either version', () => {
    for (let width = 0; width <= 140; width += 1) {
      expect(validateIpNet(`10.0.0.0/${width}`) === undefined).toBe(width <= 32)
      expect(validateIpNet(`fd00::/${width}`) === undefined).toBe(width <= 128)
    }
  })
})

describe('compareIps', () => {
  it.each([
    ['10.0.0.9', '10.0.0.10'],
    ['9.255.255.255', '10.0.0.0'],
    ['0.0.0.0', '255.255.255.255'],
    ['::', '::1'],
    ['::ffff', '1::'],
    ['fd00::9', 'fd00::10'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:9'],
    ['1::8', '1:0:0:0:1::'],
    ['::1.2.3.4', '::1.2.3.5'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:222'],
    ['::ffff:0:10.0.0.1', '::1:ffff:0:a00:1'],
  ])('puts %s before %s', (one, other) => {
    expect(compareIps(one, other)).toBeLessThan(0)
    expect(compareIps(other, one)).toBeGreaterThan(0)
  })

  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['::ffff:10.0.0.1', '::ffff:a00:1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['FD00::A', 'fd00:0::a'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('knows that %s is %s', (one, other) => {
    expect(compareIps(one, other)).toBe(0)
  })

  it('refuses what is no address', () => {
    expect(() => compareIps('10.0.0.1', '10.0.0')).toThrow('Not a valid IP address: 10.0.0')
  })
})
