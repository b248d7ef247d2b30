// Texts of what a change of a VPC would do to who reaches whom.

import type { ReactNode } from 'react'

export const effectTitle = 'What this changes'
export const effectHelp =
  'Between instances of the VPC, and with the networks that its rules and routes name. Computed, not tried.'
export const checkingText = 'Checking which connections change…'
export const failedTitle = 'Could not check which connections change'
export const unchangedText = 'No connection is affected.'
export const allowedLabel = 'Allowed'
export const deniedLabel = 'Denied'
export const unreachableLabel = 'Unreachable'
export const fromToText = (source: ReactNode, destination: ReactNode): ReactNode => (
  <>
    {source} to {destination}
  </>
)
export const outcomeText = (before: ReactNode, after: ReactNode): ReactNode => (
  <>
    {before} <span aria-hidden="true">→</span>
    <span className="sr-only">now,</span> {after}
    <span className="sr-only"> with this change</span>
  </>
)
export const elsewhereText = 'other addresses outside the VPC'
export const allTrafficText = 'All traffic'
export const tcpText = (ports: string | undefined) => (ports ? `TCP ${ports}` : 'TCP')
export const udpText = (ports: string | undefined) => (ports ? `UDP ${ports}` : 'UDP')
export const icmpEchoText = 'ping'
export const icmpText = (type: number, code: number) => `ICMP type ${type}, code ${code}`
export const otherText = 'other protocols'
export const showAllLabel = (count: number) => `Show all ${count.toLocaleString('en-US')} changes`
export const incompleteText =
  'There is more to compare than is shown here. Use the Reachability tab to check other connections.'
