import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import type { ExternalIp, FloatingIp, Instance, SiloIpPool } from '~/api/generated/types.gen'
import { queryClient } from '~/api/query-client'

import { ExternalIpsCard } from './-external-ips-card'

let isFleetViewer = false
vi.mock('~/app/session', () => ({ useSession: () => ({ isFleetViewer }) }))

const pools = [{ id: 'p', name: 'public', description: 'For everybody' } as SiloIpPool]
const ephemeral: ExternalIp = { kind: 'ephemeral', ip: '10.0.0.1', ipPoolId: 'p' }
const snat: ExternalIp = { ...ephemeral, kind: 'snat', firstPort: 0, lastPort: 16383 }
const floating = (name: string, ip = '10.0.0.2') =>
  ({ kind: 'floating', id: name, name, description: '', ip, ipPoolId: 'p' }) as const
const free = { ...floating('spare'), instanceId: null } as unknown as FloatingIp

function show(ips: ExternalIp[], { hasInterface = true, floatingIps = [] as FloatingIp[] } = {}) {
  render(
    <QueryClientProvider client={queryClient}>
      <ExternalIpsCard
        project="web"
        instance={{ id: 'i', name: 'db' } as Instance}
        ips={ips}
        hasInterface={hasInterface}
        floatingIps={floatingIps}
        pools={pools}
      />
    </QueryClientProvider>,
  )
}

const button = (name: string) => screen.queryByRole('button', { name })

beforeEach(() => {
  isFleetViewer = false
})

describe('the external addresses of an instance', () => {
  it('say that there are none', () => {
    show([])
    expect(screen.getByRole('heading', { name: 'No external IPs' })).toBeTruthy()
    expect(screen.getByText('Attach an external IP to see it here')).toBeTruthy()
  })

  it('take one ephemeral address at most, and only with an interface', () => {
    show([snat])
    expect(button('Attach ephemeral IP')).toBeTruthy()
  })

  it.each([
    ['one is there', [ephemeral], true],
    ['there is no interface', [], false],
  ])('offer no ephemeral address when %s', (_, ips, hasInterface) => {
    show(ips, { hasInterface })
    expect(button('Attach ephemeral IP')).toBeNull()
  })

  it.each([
    ['no address is free', [], [], true],
    ['an address is free', [], [free], false],
    [
      '32 are attached',
      Array.from({ length: 32 }, (_, n) => floating(`f${n}`, `10.0.1.${n}`)),
      [free],
      true,
    ],
  ] as const)('offer a floating address when one can be taken: %s', (_, ips, all, isRefused) => {
    show([...ips] as ExternalIp[], { floatingIps: [...all] })
    expect(button('Attach floating IP')?.getAttribute('aria-disabled')).toBe(
      isRefused ? 'true' : null,
    )
  })

  it('show the ports of source NAT, and that only floating addresses have names', () => {
    show([snat, floating('front') as ExternalIp])
    expect(screen.getByRole('img', { name: 'Ports 0–16383' })).toBeTruthy()
    expect(
      screen.getAllByRole('img', { name: 'SNAT IPs don’t have names or descriptions' }),
    ).toHaveLength(2)
    expect(screen.getByRole('link', { name: 'front' }).getAttribute('href')).toBe(
      '/projects/web/floating-ips/front/edit',
    )
  })

  it('name the pool to those who may not see its page', () => {
    show([ephemeral])
    expect(screen.getByRole('img', { name: 'public' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'public' })).toBeNull()
  })

  it('lead operators to the pool', () => {
    isFleetViewer = true
    show([ephemeral])
    expect(screen.getByRole('link', { name: 'public' }).getAttribute('href')).toBe(
      '/system/networking/ip-pools/public',
    )
  })
})
