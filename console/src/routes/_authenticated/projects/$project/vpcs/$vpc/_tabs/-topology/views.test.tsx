import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'

import { Diagram } from './diagram'
import type { Topology } from './graph'
import { Outline } from './outline'

const node = (id: string, kind: string, lines: string[] = []) => ({
  id,
  kind,
  title: id,
  lines,
  href: `/of/${id}`,
})

const topology: Topology = {
  gateways: [node('default', 'Internet gateway', ['pool public'])],
  routers: [node('system', 'System router', ['no routes'])],
  subnets: [
    {
      ...node('front', 'Subnet', ['10.0.0.0/24']),
      subnetId: 'front',
      foldedInstances: 0,
      instances: [
        {
          ...node('web', 'Instance', ['10.0.0.5 net0']),
          instanceId: 'web',
          addresses: [node('203.0.113.5', 'External address', ['ephemeral'])],
        },
      ],
    },
    { ...node('back', 'Subnet'), subnetId: 'back', foldedInstances: 12, instances: [] },
  ],
  furtherSubnets: { count: 2, href: '/of/subnets' },
  edges: [
    { from: 'default', to: 'system' },
    { from: 'system', to: 'front' },
    { from: 'front', to: 'web' },
    { from: 'web', to: '203.0.113.5' },
  ],
}

describe('the diagram', () => {
  it('has a link for each thing, which says all that its place would', () => {
    render(<Diagram topology={topology} onUnfold={() => undefined} />)
    const links = within(screen.getByRole('group', { name: 'Diagram' })).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('aria-label') ?? link.textContent)).toEqual([
      'Internet gateway default: pool public',
      'System router system: no routes',
      'Subnet front: 10.0.0.0/24',
      'Instance web: 10.0.0.5 net0',
      'External address 203.0.113.5: ephemeral',
      'Subnet back',
      '2 more subnets',
    ])
  })

  it('unfolds instances', async () => {
    const onUnfold = vi.fn()
    render(<Diagram topology={topology} onUnfold={onUnfold} />)
    await userEvent.click(screen.getByRole('button', { name: 'Show 12 instances of back' }))
    expect(onUnfold).toHaveBeenCalledWith('back')
  })
})

describe('the list', () => {
  it('nests what belongs to a subnet in it', () => {
    render(<Outline topology={topology} onUnfold={() => undefined} />)
    const front = screen.getByRole('link', { name: 'front' }).closest('li') as HTMLElement
    expect(within(front).getByRole('link', { name: 'web' }).getAttribute('href')).toBe('/of/web')
    const web = within(front).getByRole('link', { name: 'web' }).closest('li') as HTMLElement
    expect(within(web).getByRole('link', { name: '203.0.113.5' })).toBeDefined()
  })

  it('says what the lines of the picture say', () => {
    render(<Outline topology={topology} onUnfold={() => undefined} />)
    expect(screen.getByText('target of routes in system')).toBeDefined()
    expect(screen.getByText('used by front')).toBeDefined()
  })

  it('unfolds instances', async () => {
    const onUnfold = vi.fn()
    render(<Outline topology={topology} onUnfold={onUnfold} />)
    await userEvent.click(screen.getByRole('button', { name: 'Show 12 instances' }))
    expect(onUnfold).toHaveBeenCalledWith('back')
  })

  it('says so where there is nothing', () => {
    const empty = { ...topology, gateways: [], routers: [], subnets: [], edges: [] }
    render(
      <Outline
        topology={{ ...empty, furtherSubnets: { count: 0, href: '' } }}
        onUnfold={() => undefined}
      />,
    )
    expect(screen.getByText('No subnets')).toBeDefined()
    expect(screen.getByText('No internet gateways')).toBeDefined()
  })
})
