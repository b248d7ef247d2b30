import type { TraceRequest } from '~/api/generated/types.gen'

/** The value that selects an instance's primary interface. Other interfaces are selected by their ids, which are UUIDs. */
export const PRIMARY_INTERFACE = 'primary'

/** The values of the form. The types and the protocol decide which of them are used. */
export interface TraceFormValues {
  sourceType: 'instance' | 'ip'
  sourceInstance: string
  /** Id of an interface, or {@link PRIMARY_INTERFACE}. */
  sourceInterface: string
  /** The address that an instance sends from, if it is not its own. */
  sentFrom: string
  sourceIp: string
  destinationType: 'instance' | 'ip'
  destinationInstance: string
  destinationIp: string
  protocol: TraceRequest['protocol']
  /** The following three are numbers as they are typed; {@link validateNumber} checks them. */
  port: string
  icmpType: string
  icmpCode: string
}

/** ICMP type and code of a ping. */
export const ECHO_REQUEST = { icmpType: 8, icmpCode: 0 }

/** The initial values: whether one instance can reach another by SSH. */
export const TRACE_FORM_DEFAULTS: TraceFormValues = {
  sourceType: 'instance',
  sourceInstance: '',
  sourceInterface: PRIMARY_INTERFACE,
  sentFrom: '',
  sourceIp: '',
  destinationType: 'instance',
  destinationInstance: '',
  destinationIp: '',
  protocol: 'tcp',
  port: '22',
  icmpType: String(ECHO_REQUEST.icmpType),
  icmpCode: String(ECHO_REQUEST.icmpCode),
}

const FIELDS = Object.keys(TRACE_FORM_DEFAULTS) as (keyof TraceFormValues)[]

/** What the form's fields may be, where that is not any text. */
const CHOICES: Partial<Record<keyof TraceFormValues, readonly string[]>> = {
  sourceType: ['instance', 'ip'],
  destinationType: ['instance', 'ip'],
  protocol: ['tcp', 'udp', 'icmp', 'other'],
}

/** What the URL keeps of the form: what is not as it is at the beginning. */
export type TraceSearch = Partial<TraceFormValues>

/** The question that the URL asks. Invalid parameters are ignored. */
export function traceSearch(search: Record<string, unknown>): TraceSearch {
  const kept: Partial<Record<keyof TraceFormValues, string>> = {}
  for (const field of FIELDS) {
    const text = search[field]
    if (typeof text !== 'string' || text === '') continue
    if (CHOICES[field]?.includes(text) === false) continue
    if (text !== TRACE_FORM_DEFAULTS[field]) kept[field] = text
  }
  return kept as TraceSearch
}

/** Whether two addresses ask the same. */
export const asksTheSame = (one: TraceSearch, other: TraceSearch): boolean =>
  FIELDS.every((field) => one[field] === other[field])

/** Whether the URL says enough to ask: a destination, and where the packet comes from. */
export function isQuestion({ sourceType, ...search }: TraceSearch): boolean {
  const isFrom = sourceType === 'ip' ? search.sourceIp : search.sourceInstance
  const isTo = search.destinationType === 'ip' ? search.destinationIp : search.destinationInstance
  return Boolean(isFrom && isTo)
}
