import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { RouterRoute, VpcRouter } from '~/api/generated/types.gen'
import { queryClient } from '~/api/query-client'

import { RouterLink } from './router-link'
import { KindBadge, RoutePartBadges, routePartText } from './router-route'
import { routesToGateway } from './vpc-routes'

describe('what a route leads from or to', () => {
  it.each([
    [{ type: 'ip', value: '10.0.0.1' }, 'IP', '10.0.0.1'],
    [{ type: 'ip_net', value: '10.0.0.0/8' }, 'IP network', '10.0.0.0/8'],
    [{ type: 'subnet', value: 'web' }, 'VPC subnet', 'web'],
    [{ type: 'vpc', value: 'main' }, 'VPC', 'main'],
    [{ type: 'instance', value: 'db' }, 'Instance', 'db'],
    [{ type: 'internet_gateway', value: 'outbound' }, 'Gateway', 'outbound'],
  ] as const)('%j', (part, label, value) => {
    render(<RoutePartBadges part={part} />)
    expect(screen.getByText(label)).toBeDefined()
    expect(screen.getByText(value)).toBeDefined()
    expect(routePartText(part)).toBe(`${label} ${value}`)
  })

  it('is a lone word when packets are dropped', () => {
    const { container } = render(<RoutePartBadges part={{ type: 'drop' }} />)
    expect(container.textContent).toBe('Drop')
  })
})

it('a kind is written as words', () => {
  render(<KindBadge kind="vpc_subnet" />)
  expect(screen.getByText('vpc subnet')).toBeDefined()
})

it('a gateway is known to routes by its name', () => {
  const router = { name: 'system' } as VpcRouter
  const route = (target: RouterRoute['target']) => ({ router, route: { target } as RouterRoute })
  const out = route({ type: 'internet_gateway', value: 'default' })
  const others = [
    route({ type: 'internet_gateway', value: 'other' }),
    route({ type: 'instance', value: 'default' }),
    route({ type: 'drop' }),
  ]
  expect(routesToGateway([...others, out], 'default')).toEqual([out])
})

describe('a router that a subnet names', () => {
  const vpc = { project: 'web', vpc: 'main' }
  const show = (routerId: string | null) =>
    render(
      <QueryClientProvider client={queryClient}>
        <RouterLink vpc={vpc} routerId={routerId} />
      </QueryClientProvider>,
    )

  beforeEach(() => queryClient.clear())

  it('is a dash when there is none', () => {
    expect(show(null).container.textContent).toBe('—')
  })

  it('is a link to it', async () => {
    configureTransport({ fetch: async () => Response.json({ name: 'dc' }) })
    show('r-1')
    const link = await screen.findByRole('link', { name: 'dc' })
    expect(link.getAttribute('href')).toBe('/projects/web/vpcs/main/routers/dc')
  })

  it('is said to be deleted when it is gone, and the list stays', async () => {
    vi.spyOn(console, 'info').mockImplementation(() => {})
    configureTransport({
      fetch: async () =>
        Response.json(
          { request_id: 'r', message: 'not found', error_code: 'ObjectNotFound' },
          { status: 404 },
        ),
    })
    show('r-1')
    expect(await screen.findByText('Deleted')).toBeDefined()
  })
})
