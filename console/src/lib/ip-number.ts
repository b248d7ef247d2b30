const IPV6_GROUPS = 8

/** The numeric value of a valid address. A zone is ignored. */
export const ipNumber = (address: string): bigint =>
  address.includes(':') ? ipv6Number(address) : ipv4Number(address)

/** How many addresses lie between two of one version, both included. */
export const rangeSize = (first: string, last: string): bigint =>
  ipNumber(last) - ipNumber(first) + 1n

function ipv4Number(text: string): bigint {
  return text.split('.').reduce((number, octet) => number * 256n + BigInt(octet), 0n)
}

function ipv6Number(text: string): bigint {
  const address = text.replace(/%.*$/, '')
  const tail = /[0-9]+(?:\.[0-9]+){3}$/.exec(address)?.[0]
  const [head = '', rest] = (
    tail ? address.slice(0, -tail.length) + tailGroups(tail) : address
  ).split('::')
  const before = groupsOf(head)
  const after = rest === undefined ? [] : groupsOf(rest)
  const zeros = Array.from({ length: IPV6_GROUPS - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].reduce(
    (number, group) => number * 65_536n + BigInt(`0x${group}`),
    0n,
  )
}

/** The groups of a part of an IPv6 address. */
export const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))

/** The last two groups of an IPv6 address, where they are written as an IPv4 address. */
function tailGroups(tail: string): string {
  const number = ipv4Number(tail)
  return `${(number >> 16n).toString(16)}:${(number & 0xffffn).toString(16)}`
}
