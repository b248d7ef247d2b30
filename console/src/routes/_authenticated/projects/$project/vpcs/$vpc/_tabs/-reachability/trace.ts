import type { Operation } from '~/api/operation'

/** Who sends the packet that is traced. */
export type TraceSource =
  | { type: 'instance'; value: string }
  | { type: 'interface'; value: string }
  | { type: 'ip'; value: string }

/** Who it is sent to. */
export type TraceDestination = { type: 'instance'; value: string } | { type: 'ip'; value: string }

/** What a packet is, as far as rules and routes look at it. */
export interface TraceRequest {
  source: TraceSource
  /** Address that it is sent from, if it is not the sender's own. */
  sourceIp?: string
  destination: TraceDestination
  protocol: 'tcp' | 'udp' | 'icmp' | 'other'
  /** Destination port, 1 to 65535; with TCP and UDP only. */
  port?: number
  /** With ICMP only; an echo request without it. */
  icmp?: { icmpType: number; code: number }
}

/** A thing that a step is about. */
export interface TraceThing {
  id: string
  name: string
}

/** What is looked at on the way of a packet. */
export type TraceStepKind =
  | 'source_check'
  | 'outbound_firewall'
  | 'route'
  | 'gateway'
  | 'nat'
  | 'destination_check'
  | 'inbound_firewall'
  | 'delivery'

/** One step on the way. */
export interface TraceStep {
  kind: TraceStepKind
  result: 'passed' | 'denied' | 'unreachable'
  /** The step in a sentence. */
  text: string
  /** The firewall rule that decided; none when the default did. */
  rule: TraceThing | null
  route: (TraceThing & { router: TraceThing }) | null
  gateway: TraceThing | null
  subnet: TraceThing | null
  interface: (TraceThing & { ip: string; instance: TraceThing | null }) | null
  address: string | null
}

/** What becomes of the packet. */
export interface Trace {
  verdict: 'allowed' | 'denied' | 'unreachable'
  summary: string
  /** Addresses of the packet as it is sent. */
  source: string
  destination: string
  /** In order; the last one decided. */
  steps: TraceStep[]
}

interface VpcTraceData {
  url: string
  path: { vpc: string }
  query: { project: string }
  body: TraceRequest
}

/** Follows a packet through a VPC without sending it. An addition to the contract, so that the generated table has no entry for it. */
export const vpcTrace: Operation<VpcTraceData, Trace> = {
  name: 'vpcTrace',
  method: 'POST',
  path: '/experimental/v1/vpcs/{vpc}/trace',
}
