import { render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { Trace, TraceRequest, TraceStep } from '~/api/generated/types.gen'

import { TraceAnswer } from './trace-answer'
import { remedyOf } from './trace-links'

const vpc = { project: 'web', vpc: 'main' }

const step = (parts: Partial<TraceStep>): TraceStep => ({
  kind: 'route',
  result: 'passed',
  text: '',
  rule: null,
  route: null,
  gateway: null,
  subnet: null,
  interface: null,
  address: null,
  ...parts,
})

const rule = { id: 'u', name: 'deny-db' }
const route = { id: 'o', name: 'drop-all', router: { id: 'r', name: 'dc' } }
const nic = { id: 'n', name: 'net0', ip: '172.30.0.6', instance: { id: 'i', name: 'db' } }

const request: TraceRequest = {
  source: { type: 'instance', value: 'front' },
  destination: { type: 'instance', value: 'db' },
  protocol: 'tcp',
  port: 5432,
}

const denied: Trace = {
  verdict: 'denied',
  summary: 'Denied by the firewall rule deny-db.',
  source: '172.30.0.5',
  destination: '172.30.0.6',
  steps: [
    step({ kind: 'outbound_firewall', text: 'No outbound rule fits.' }),
    step({ route, subnet: { id: 's', name: 'default' }, text: 'The route decides.' }),
    step({
      kind: 'inbound_firewall',
      result: 'denied',
      rule,
      interface: nic,
      text: 'The rule deny-db denies it.',
    }),
  ],
}

describe('the answer', () => {
  it('says what was asked, the verdict, and every step in its order', () => {
    render(<TraceAnswer vpc={vpc} request={request} trace={denied} />)
    const heading = screen.getByRole('heading', {
      name: '172.30.0.5 → 172.30.0.6, TCP to port 5432',
    })
    expect(document.activeElement).toBe(heading)
    expect(screen.getByRole('alert').textContent).toContain(
      'DeniedDenied by the firewall rule deny-db.',
    )
    const [first, , last] = within(screen.getAllByRole('list')[0] as HTMLElement)
      .getAllByRole('listitem')
      .filter((item) => item.querySelector('p'))
    expect(first?.textContent).toContain('Outbound firewallPassedNo outbound rule fits.')
    expect(last?.textContent).toContain('Inbound firewallDeniedThe rule deny-db denies it.')
  })

  it('leads to what decided, and to what would change it', () => {
    render(<TraceAnswer vpc={vpc} request={request} trace={denied} />)
    const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
    const base = '/projects/web/vpcs/main'
    expect(href('Edit this rule')).toBe(`${base}/firewall-rules/deny-db/edit`)
    expect(href('Rule deny-db')).toBe(`${base}/firewall-rules/deny-db/edit`)
    expect(href('Route drop-all')).toBe(`${base}/routers/dc/routes/drop-all/edit`)
    expect(href('Router dc')).toBe(`${base}/routers/dc`)
    expect(href('Subnet default')).toBe(`${base}/subnets/default/edit`)
    expect(href('Instance db')).toBe('/projects/web/instances/db/networking')
  })

  it('says that answers pass, where the packet does', () => {
    const summary = 'Allowed: it leaves the VPC.'
    const allowed: Trace = {
      ...denied,
      verdict: 'allowed',
      summary,
      steps: denied.steps.slice(0, 2),
    }
    render(<TraceAnswer vpc={vpc} request={request} trace={allowed} />)
    expect(screen.getByText('It leaves the VPC.')).toBeDefined()
    expect(screen.getByText(/Replies to an allowed packet/)).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Edit this rule' })).toBeNull()
  })
})

describe('the remedy', () => {
  const label = (parts: Partial<TraceStep>) =>
    remedyOf(step({ result: 'denied', ...parts }), vpc)?.label

  it.each([
    [{ kind: 'inbound_firewall', rule }, 'Edit this rule'],
    [{ kind: 'inbound_firewall', rule: null }, 'Add a firewall rule'],
    [{ kind: 'outbound_firewall', rule }, 'Edit this rule'],
    [{ kind: 'route', route }, 'Edit this route'],
    [{ kind: 'route', route: null }, undefined],
    [{ kind: 'nat', interface: nic }, 'Attach an external IP to the instance'],
    [{ kind: 'gateway', gateway: { id: 'g', name: 'out' } }, 'Open this gateway'],
    [{ kind: 'gateway' }, undefined],
    [{ kind: 'source_check', interface: nic }, 'Edit the interface'],
    [{ kind: 'destination_check' }, undefined],
    [{ kind: 'delivery' }, undefined],
    [{ kind: 'route', route, result: 'passed' }, undefined],
  ] as const)('%j', (parts, expected) => {
    expect(label(parts)).toBe(expected)
  })
})
