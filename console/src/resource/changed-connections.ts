import type { ReachabilityChange, ReachabilityPeer } from '~/api/generated/types.gen'
import * as text from '~/messages/reachability-effect'

/** The last port that there is. */
const LAST_PORT = 65_535

/** All traffic between two peers that changes in the same way. */
export interface ChangedConnection {
  key: string
  source: ReachabilityPeer
  destination: ReachabilityPeer
  before: ReachabilityChange['before']
  after: ReachabilityChange['after']
  /** The traffic in words. */
  traffic: string
}

/** The changes by pair and outcome, in the order in which the server lists them. */
export function connections(changes: readonly ReachabilityChange[]): ChangedConnection[] {
  const groups = new Map<string, ReachabilityChange[]>()
  for (const change of changes) {
    const { source, destination, before, after } = change
    const key = JSON.stringify([
      peerKey(source),
      peerKey(destination),
      before.verdict,
      after.verdict,
    ])
    const group = groups.get(key)
    if (group) group.push(change)
    else groups.set(key, [change])
  }
  return [...groups].flatMap(([key, group]) => {
    const [first] = group
    return first ? [{ ...first, key, traffic: trafficText(group) }] : []
  })
}

const peerKey = (peer: ReachabilityPeer) =>
  peer.type === 'interface' ? peer.value.id : (peer.network ?? peer.address)

/** The name of a peer: of the instance, of the probe's interface, or the network. */
export function peerText(peer: ReachabilityPeer): string {
  if (peer.type === 'interface') return peer.value.instance?.name ?? peer.value.name
  return peer.network?.replace(/\/(32|128)$/, '') ?? text.elsewhereText
}

function trafficText(changes: readonly ReachabilityChange[]): string {
  if (isEverything(changes)) return text.allTrafficText
  return changes.map(oneText).join(', ')
}

/** Whether the changes are those of every port of both protocols, of pings and of everything else. */
function isEverything(changes: readonly ReachabilityChange[]): boolean {
  const isAll = (protocol: 'tcp' | 'udp') =>
    changes.some(
      ({ protocol: own, ports }) => own === protocol && ports && portsText(ports) === undefined,
    )
  const has = (protocol: 'icmp' | 'other') => changes.some((change) => change.protocol === protocol)
  return isAll('tcp') && isAll('udp') && has('icmp') && has('other')
}

function oneText({ protocol, ports, icmp }: ReachabilityChange): string {
  switch (protocol) {
    case 'tcp':
      return text.tcpText(ports ? portsText(ports) : undefined)
    case 'udp':
      return text.udpText(ports ? portsText(ports) : undefined)
    case 'icmp':
      if (!icmp || (icmp.icmpType === 8 && icmp.code === 0)) return text.icmpEchoText
      return text.icmpText(icmp.icmpType, icmp.code)
    case 'other':
      return text.otherText
  }
}

/** A range of ports; `undefined` if it has all of them. */
function portsText({ first, last }: { first: number; last: number }): string | undefined {
  if (first <= 1 && last === LAST_PORT) return undefined
  return first === last ? String(first) : `${first}–${last}`
}
