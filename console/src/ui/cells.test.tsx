import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { momentInZones } from '~/lib/dates'
import { BigNumber } from '~/ui/big-number'
import { ByteSize } from '~/ui/byte-size'
import { CopyButton } from '~/ui/copy-button'
import { DateTime, TimeAgo } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { ListPlus } from '~/ui/list-plus'
import { Pagination } from '~/ui/pagination'
import { RefreshButton } from '~/ui/refresh-button'
import { Truncate } from '~/ui/truncate'

afterEach(() => vi.useRealTimers())

describe('DescriptionCell', () => {
  it('shows a dash for nothing and a short text whole', () => {
    const { rerender, container } = render(<DescriptionCell text="" />)
    expect(container.textContent).toBe('—')
    rerender(<DescriptionCell text={'x'.repeat(48)} />)
    expect(container.textContent).toBe('x'.repeat(48))
  })

  it('cuts a long text, which is read and shown whole', async () => {
    const text = 'a'.repeat(49)
    render(<DescriptionCell text={text} />)
    const cut = screen.getByLabelText(text)
    expect(cut.textContent).toBe(`${'a'.repeat(46)}…`)
    await userEvent.tab()
    expect(document.activeElement).toBe(cut)
    expect((await screen.findByRole('tooltip')).textContent).toBe(text)
  })
})

describe('Truncate', () => {
  it('offers to copy what it cut only', () => {
    const id = '5c56b522-c9b8-49e4-9f9a-8d52a89ec3e0'
    const { rerender } = render(<Truncate text={id} max={12} position="middle" copy />)
    expect(screen.getByLabelText(id).textContent).toBe('5c56b…ec3e0')
    expect(screen.getByRole('button', { name: 'Click to copy' })).toBeTruthy()
    rerender(<Truncate text="short" max={12} copy />)
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('CopyButton', () => {
  it('copies and says so for two seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const user = userEvent.setup({ advanceTimers: (ms) => void vi.advanceTimersByTime(ms) })
    render(<CopyButton value="secret" />)
    await user.click(screen.getByRole('button', { name: 'Click to copy' }))
    expect(await navigator.clipboard.readText()).toBe('secret')
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
    act(() => void vi.advanceTimersByTime(2000))
    expect(screen.getByRole('button', { name: 'Click to copy' })).toBeTruthy()
  })
})

describe('times', () => {
  it('carry the exact time for machines', () => {
    const { container } = render(<DateTime value={new Date('2023-02-28T12:00:00Z')} />)
    expect(container.querySelector('time')?.getAttribute('datetime')).toBe(
      '2023-02-28T12:00:00.000Z',
    )
    expect(container.querySelectorAll('time > span')).toHaveLength(2)
  })

  it('say the zone and UTC on focus', async () => {
    const value = new Date('2023-02-28T12:00:00Z')
    render(<DateTime value={value} />)
    await userEvent.tab()
    const tip = await screen.findByRole('tooltip')
    expect(tip.textContent?.trim()).toBe(momentInZones(value).join(' '))
    expect(tip.textContent).toContain('12:00:00 UTC')
  })

  it('count on by themselves and explain themselves', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    render(<TimeAgo value={new Date(Date.now() - 58_000)} caption="Updated" />)
    expect(screen.getByText('58s')).toBeTruthy()
    act(() => void vi.advanceTimersByTime(1000))
    act(() => void vi.advanceTimersByTime(1000))
    expect(screen.getByText('1m')).toBeTruthy()
    await userEvent.setup({ advanceTimers: (ms) => void vi.advanceTimersByTime(ms) }).tab()
    expect((await screen.findByRole('tooltip')).textContent).toMatch(/^Updated .+UTC/)
  })
})

describe('small cells', () => {
  it('dim the unit of a size', () => {
    const { container } = render(<ByteSize bytes={4 * 1024 ** 3} />)
    expect(container.textContent).toBe('4 GiB')
  })

  it('abbreviate a big number', async () => {
    render(<BigNumber value={1_234_567} />)
    expect(screen.getByText('1.2M')).toBeTruthy()
    await userEvent.tab()
    expect((await screen.findByRole('tooltip')).textContent).toBe((1_234_567).toLocaleString())
  })

  it('list the first of several', async () => {
    const { rerender, container } = render(<ListPlus title="Other ports">{[]}</ListPlus>)
    expect(container.textContent).toBe('—')
    rerender(
      <ListPlus title="Other ports">
        {['22', '80', '443'].map((port) => (
          <span key={port}>{port}</span>
        ))}
      </ListPlus>,
    )
    expect(container.textContent).toBe('22+2')
    await userEvent.tab()
    expect((await screen.findByRole('tooltip')).textContent).toBe('Other ports80443')
  })
})

describe('Pagination', () => {
  it('offers what there is and keeps the focus on a button that became useless', async () => {
    const user = userEvent.setup()
    const onPrevious = vi.fn<() => void>()
    const onNext = vi.fn<() => void>()
    const bar = (hasPrevious: boolean, hasNext: boolean) => (
      <Pagination pageSize={50} {...{ hasPrevious, hasNext, onPrevious, onNext }} />
    )
    const { rerender } = render(bar(false, true))
    expect(screen.getByRole('navigation', { name: 'Pagination' }).textContent).toContain(
      'rows per page 50',
    )
    await user.click(screen.getByRole('button', { name: 'prev' }))
    expect(onPrevious).not.toHaveBeenCalled()
    const next = screen.getByRole('button', { name: 'next' })
    await user.click(next)
    expect(onNext).toHaveBeenCalledOnce()
    rerender(bar(true, false))
    expect(document.activeElement).toBe(next)
    expect(next.getAttribute('aria-disabled')).toBe('true')
    await user.click(next)
    expect(onNext).toHaveBeenCalledOnce()
  })

  it('turns a spinner while a page loads', () => {
    render(
      <Pagination
        pageSize={50}
        hasPrevious
        hasNext
        loading
        onPrevious={vi.fn<() => void>()}
        onNext={vi.fn<() => void>()}
      />,
    )
    expect(screen.getByLabelText('Spinner')).toBeTruthy()
  })
})

describe('RefreshButton', () => {
  it('refreshes once at a time', async () => {
    let finish = (): void => {}
    const onRefresh = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (finish = resolve)))
    render(<RefreshButton onRefresh={onRefresh} />)
    const button = screen.getByRole('button', { name: 'Refresh data' })
    await userEvent.click(button)
    await userEvent.click(button)
    expect(onRefresh).toHaveBeenCalledOnce()
    await act(async () => finish())
  })
})
