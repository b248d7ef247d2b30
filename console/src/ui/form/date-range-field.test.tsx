import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { presetRange, type DateRange } from '~/lib/date-range'
import { DateRangeControl } from '~/ui/date-range-control'

const now = new Date(2025, 6, 30, 12, 0)

beforeEach(() => {
  vi.useFakeTimers({ now, shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
})

function open(value: DateRange = presetRange('lastDay', now)) {
  const onChange = vi.fn<(range: DateRange) => void>()
  const user = userEvent.setup({ advanceTimers: (ms) => void vi.advanceTimersByTime(ms) })
  render(<DateRangeControl value={value} onChange={onChange} />)
  return { user, onChange }
}

describe('DateRangeControl', () => {
  it('ends a preset now and freezes a custom range', async () => {
    const { user, onChange } = open()
    // Another element once the list's code is there.
    const preset = () => screen.getByRole('button', { name: 'Choose a time range preset' })
    expect(preset().textContent).toContain('Last day')
    await user.click(preset())
    await user.click(await screen.findByRole('option', { name: 'Last 3 hours' }))
    const [range] = onChange.mock.lastCall ?? []
    expect(range?.preset).toBe('last3Hours')
    expect(Number(range?.end) - Number(range?.start)).toBe(3 * 60 * 60 * 1000)
    await user.click(preset())
    await user.click(await screen.findByRole('option', { name: 'Custom' }))
    expect(onChange.mock.lastCall?.[0]).toEqual({
      ...presetRange('lastDay', now),
      preset: 'custom',
    })
  })

  it('takes times from the calendar once they rest, and none that end before they start', async () => {
    const start = new Date(2025, 6, 30, 8, 0)
    const end = new Date(2025, 6, 30, 11, 0)
    const { user, onChange } = open({ preset: 'lastHour', start, end })
    await user.click(screen.getByRole('button', { name: 'Choose a date range' }))
    const [startHour] = await screen.findAllByRole('spinbutton', { name: /hour/ })
    await user.click(startHour as HTMLElement)
    await user.keyboard('{ArrowUp}')
    expect(onChange).not.toHaveBeenCalled()
    act(() => void vi.advanceTimersByTime(400))
    expect(onChange.mock.lastCall?.[0]).toEqual({
      preset: 'custom',
      start: new Date(2025, 6, 30, 9, 0),
      end,
    })
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
    expect(screen.getByText('Date range is invalid')).toBeTruthy()
  })

  it('takes days from the calendar and none from the future', async () => {
    const { user, onChange } = open({
      preset: 'lastHour',
      start: new Date(2025, 6, 29, 13),
      end: now,
    })
    await user.click(screen.getByRole('button', { name: 'Choose a date range' }))
    const day = await screen.findByRole('button', { name: /July 10, 2025/ })
    await user.click(day)
    await user.click(screen.getByRole('button', { name: /July 30, 2025/ }))
    act(() => void vi.advanceTimersByTime(400))
    const [range] = onChange.mock.lastCall ?? []
    expect(range?.start).toEqual(new Date(2025, 6, 10, 13))
    expect(Number(range?.end)).toBeLessThanOrEqual(Date.now())
    expect(
      screen.getByRole('button', { name: /July 31, 2025/ }).getAttribute('aria-disabled'),
    ).toBe('true')
  })
})
