import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import { CapacityBar, capacityTone } from '~/ui/capacity-bar'

it.each([
  [0, 'accent'],
  [66, 'accent'],
  [66.01, 'notice'],
  [75, 'notice'],
  [75.01, 'danger'],
])('%d %% is %s', (percent, tone) => {
  expect(capacityTone(percent)).toBe(tone)
})

it('says how much is taken in words', () => {
  render(<CapacityBar title="Memory" unit="GiB" provisioned={210} capacity={300} />)
  const meter = screen.getByRole('meter', { name: 'Memory' })
  expect(meter.getAttribute('aria-valuetext')).toBe('210 of 300 GiB')
  expect(screen.getByRole('region', { name: /Memory/ }).textContent).toContain('70%')
  expect(screen.getByText('210').textContent).toBe('210 GiB')
})

it('has no share of nothing', () => {
  render(<CapacityBar title="CPU" provisioned={0} capacity={0} />)
  expect(screen.getByRole('region', { name: 'CPU' }).textContent).toContain('—%')
})

it('writes shares with two decimals at most, and counts without a unit', () => {
  render(<CapacityBar title="CPU" unit="vCPUs" isCount provisioned={1} capacity={3} />)
  expect(screen.getByRole('region', { name: /CPU/ }).textContent).toContain('33.33%')
  expect(screen.getByText('3').textContent).toBe('3')
})

it('takes numbers that no double holds, and abbreviates them', () => {
  render(
    <CapacityBar
      title="IPv6"
      unit="IPs"
      isCount
      provisionedLabel="Allocated"
      provisioned={2n ** 62n}
      capacity={2n ** 64n - 1n}
    />,
  )
  expect(screen.getByRole('region', { name: /IPv6/ }).textContent).toBe(
    'IPv6IPs25%Allocated4.6e18Capacity18.4e18',
  )
  expect(screen.getByRole('meter').getAttribute('aria-valuetext')).toBe(
    '4,611,686,018,427,387,904 of 18,446,744,073,709,551,615 IPs',
  )
})
