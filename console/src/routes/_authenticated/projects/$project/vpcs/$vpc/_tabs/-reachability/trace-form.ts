import type { TraceDestination, TraceRequest, TraceSource } from '~/api/generated/types.gen'
import * as text from '~/messages/reachability-screens'

import { ECHO_REQUEST, PRIMARY_INTERFACE } from './trace-search'
import type { TraceFormValues } from './trace-search'

/** Whether the packets of a protocol have ports. */
export const hasPorts = (protocol: TraceRequest['protocol']) =>
  protocol === 'tcp' || protocol === 'udp'

/** @returns the message for a value that is not a whole number in the range. */
export function validateNumber(value: string, min: number, max: number): string | undefined {
  const isInRange = /^\d{1,5}$/.test(value.trim()) && Number(value) >= min && Number(value) <= max
  return isInRange ? undefined : text.numberError(min, max)
}

/** Builds the body of the request. */
export function traceBody(values: TraceFormValues): TraceRequest {
  const { sourceType, sentFrom, protocol, port, icmpType, icmpCode } = values
  return {
    source: sourceOf(values),
    sourceIp: sourceType === 'instance' ? sentFrom.trim() || undefined : undefined,
    destination: destinationOf(values),
    protocol,
    port: hasPorts(protocol) ? Number(port) : undefined,
    icmp: protocol === 'icmp' ? { icmpType: Number(icmpType), code: Number(icmpCode) } : undefined,
  }
}

function sourceOf(values: TraceFormValues): TraceSource {
  const { sourceType, sourceInstance, sourceInterface, sourceIp } = values
  if (sourceType === 'ip') return { type: 'ip', value: sourceIp.trim() }
  return sourceInterface === PRIMARY_INTERFACE
    ? { type: 'instance', value: sourceInstance }
    : { type: 'interface', value: sourceInterface }
}

function destinationOf(values: TraceFormValues): TraceDestination {
  const { destinationType, destinationInstance, destinationIp } = values
  return destinationType === 'ip'
    ? { type: 'ip', value: destinationIp.trim() }
    : { type: 'instance', value: destinationInstance }
}

/** Describes the packet, for example `TCP to port 22`. */
export function packetText({ protocol, port, icmp }: TraceRequest): string {
  if (protocol === 'icmp') {
    if (!icmp || (icmp.icmpType === ECHO_REQUEST.icmpType && icmp.code === ECHO_REQUEST.icmpCode)) {
      return text.echoRequestText
    }
    return text.icmpText(icmp.icmpType, icmp.code)
  }
  if (protocol === 'other') return text.otherProtocolText
  return text.toPortText(protocol.toUpperCase(), Number(port))
}
