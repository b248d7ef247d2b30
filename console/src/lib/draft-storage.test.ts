import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import {
  dropDraft,
  dropStaleDrafts,
  hasDraftAt,
  MAX_DRAFT_AGE,
  readDraft,
  writeDraft,
} from './draft-storage'
import type { Draft } from './draft-storage'
import { SIGNED_OUT_KEY } from './storage-keys'

const place = { path: '/projects/web/disks-new', form: 'diskCreate' }
const draft = (at = Date.now()): Draft => ({
  at,
  values: { name: 'db' },
  entries: {},
  isPartial: false,
})

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-03-04T14:02:00Z') }))
afterEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
  localStorage.clear()
})

it('keeps a draft for its person, screen and form', () => {
  writeDraft(place, 'ann', draft())
  expect(readDraft(place, 'ann')?.values).toEqual({ name: 'db' })
  expect(readDraft(place, 'bob')).toBeUndefined()
  expect(readDraft({ ...place, form: 'diskDelete' }, 'ann')).toBeUndefined()
  expect(readDraft({ ...place, path: '/projects/api/disks-new' }, 'ann')).toBeUndefined()
  dropDraft(place)
  expect(readDraft(place, 'ann')).toBeUndefined()
})

it('restores no draft that is too old', () => {
  writeDraft(place, 'ann', draft())
  vi.advanceTimersByTime(MAX_DRAFT_AGE - 1)
  expect(readDraft(place, 'ann')).toBeDefined()
  vi.advanceTimersByTime(1)
  expect(readDraft(place, 'ann')).toBeUndefined()
})

it('restores no draft from before somebody signed out in another tab', () => {
  writeDraft(place, 'ann', draft())
  localStorage.setItem(SIGNED_OUT_KEY, String(Date.now()))
  expect(readDraft(place, 'ann')).toBeUndefined()
  writeDraft(place, 'ann', draft(Date.now() + 1))
  expect(readDraft(place, 'ann')).toBeDefined()
})

it('removes what must not be restored, and nothing else', () => {
  const others = { ...place, form: 'other' }
  const old = { ...place, form: 'old' }
  writeDraft(place, 'ann', draft())
  writeDraft(others, 'bob', draft())
  writeDraft(old, 'ann', draft(Date.now() - MAX_DRAFT_AGE))
  sessionStorage.setItem('croft-draft broken', '{')
  sessionStorage.setItem('croft-oxql-system', '[]')
  dropStaleDrafts()
  expect(sessionStorage.length).toBe(3)
  dropStaleDrafts('ann')
  expect(Object.keys(sessionStorage).toSorted()).toEqual([
    'croft-draft /projects/web/disks-new diskCreate',
    'croft-oxql-system',
  ])
})

it('knows the screens with a draft', () => {
  writeDraft(place, 'ann', draft())
  expect(hasDraftAt('/projects/web/disks-new')).toBe(true)
  expect(hasDraftAt('/projects/web/disks')).toBe(false)
  vi.advanceTimersByTime(MAX_DRAFT_AGE)
  expect(hasDraftAt('/projects/web/disks-new')).toBe(false)
})

it('goes without drafts where the browser stores nothing', () => {
  const set = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  writeDraft(place, 'ann', draft())
  expect(readDraft(place, 'ann')).toBeUndefined()
  set.mockRestore()
})
