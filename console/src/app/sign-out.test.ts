import { afterEach, expect, it, vi } from 'vitest'

import { SIGNED_OUT_KEY } from '~/lib/storage-keys'

import { signOut } from './sign-out'

const call = vi.hoisted(() => vi.fn<() => Promise<void>>())
vi.mock('~/api/call', () => ({ call }))

afterEach(() => vi.unstubAllGlobals())

it('leaves nothing of what the person did in this tab', async () => {
  const assign = vi.fn<(url: string) => void>()
  vi.stubGlobal('location', { assign })
  sessionStorage.setItem('croft-oxql-system', '["get disk:reads"]')
  localStorage.setItem('croft-theme', 'dark')
  localStorage.setItem('croft-batches', '{}')
  call.mockRejectedValueOnce(new Error('unreachable'))
  await signOut()
  expect([sessionStorage.length, assign.mock.calls.length]).toEqual([1, 0])
  call.mockResolvedValueOnce()
  await signOut()
  expect(sessionStorage.length).toBe(0)
  expect(localStorage.getItem('croft-batches')).toBeNull()
  expect(localStorage.getItem('croft-theme')).toBe('dark')
  expect(Number(localStorage.getItem(SIGNED_OUT_KEY))).toBeGreaterThan(0)
  expect(assign).toHaveBeenCalledWith('/login')
})
