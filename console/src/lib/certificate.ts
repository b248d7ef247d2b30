/** What a person has to know of a certificate before it is used. */
export interface CertificateFacts {
  /** When it stops being valid. */
  expires: Date
  /** The names of hosts that it is for. */
  hosts: string[]
}

/** A value of DER: its tag, and where its content is. */
interface Item {
  tag: number
  start: number
  end: number
}

const SEQUENCE = 0x30
const UTC_TIME = 0x17
const OCTETS = 0x04
/** The version, which precedes the serial number of all but the oldest certificates. */
const VERSION = 0xa0
const EXTENSIONS = 0xa3
/** A name of a host among the alternative names of the subject. */
const DNS_NAME = 0x82
/** 2.5.29.17, subjectAltName. */
const ALTERNATIVE_NAMES = '551d11'

/** Reads the first certificate of a PEM file (RFC 5280, RFC 7468); `undefined` if there is none that can be read. */
export function certificateFacts(pem: string): CertificateFacts | undefined {
  const [, base64] =
    /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/.exec(pem) ?? []
  if (base64 === undefined) return undefined
  try {
    return read(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}

function read(bytes: Uint8Array): CertificateFacts {
  const [certificate] = itemsIn(bytes, 0, bytes.length)
  const [toBeSigned] = inside(bytes, certificate)
  const fields = inside(bytes, toBeSigned)
  const [, , , validity] = fields[0]?.tag === VERSION ? fields.slice(1) : fields
  const [, notAfter] = inside(bytes, validity)
  const [extensions] = inside(
    bytes,
    fields.find(({ tag }) => tag === EXTENSIONS),
  )
  const hosts = inside(bytes, extensions).flatMap((each) => hostsOf(bytes, each))
  return { expires: timeOf(bytes, notAfter), hosts }
}

/** The values that follow each other in a part of the bytes. */
function itemsIn(bytes: Uint8Array, from: number, to: number): Item[] {
  const items: Item[] = []
  for (let at = from; at < to;) {
    const item = itemAt(bytes, at)
    if (item.end > to) throw new RangeError('a value ends behind what contains it')
    items.push(item)
    at = item.end
  }
  return items
}

function itemAt(bytes: Uint8Array, at: number): Item {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined) throw new RangeError('a value is cut off')
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first }
  const start = at + 2 + (first & 0x7f)
  const length = bytes.slice(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0)
  return { tag, start, end: start + length }
}

/** The values in another one; none if that is not there. */
const inside = (bytes: Uint8Array, item: Item | undefined): Item[] =>
  item ? itemsIn(bytes, item.start, item.end) : []

const textOf = (bytes: Uint8Array, { start, end }: Item) =>
  String.fromCharCode(...bytes.slice(start, end))

/** `YYMMDDhhmmssZ`, which means the years 1950 to 2049, or with all digits of the year. */
function timeOf(bytes: Uint8Array, item: Item | undefined): Date {
  if (!item) throw new RangeError('there is no time')
  const text = textOf(bytes, item)
  const century = item.tag !== UTC_TIME ? '' : Number(text.slice(0, 2)) < 50 ? '20' : '19'
  const [, year, ...rest] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + text) ?? []
  if (year === undefined) throw new RangeError('the time cannot be read')
  const [month = 1, day = 1, hour = 0, minute = 0, second = 0] = rest.map(Number)
  return new Date(Date.UTC(Number(year), month - 1, day, hour, minute, second))
}

/** The names of hosts in an extension. */
function hostsOf(bytes: Uint8Array, extension: Item): string[] {
  const [id, ...others] = inside(bytes, extension)
  if (!id || hexOf(bytes, id) !== ALTERNATIVE_NAMES) return []
  const [names] = inside(
    bytes,
    others.find(({ tag }) => tag === OCTETS),
  )
  if (names?.tag !== SEQUENCE) return []
  return inside(bytes, names)
    .filter(({ tag }) => tag === DNS_NAME)
    .map((name) => textOf(bytes, name))
}

const hexOf = (bytes: Uint8Array, { start, end }: Item) =>
  Array.from(bytes.slice(start, end), (byte) => byte.toString(16).padStart(2, '0')).join('')
