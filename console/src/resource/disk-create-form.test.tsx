import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { GIB } from '~/lib/units'

import { DiskForm } from './disk-create-form'

const times = { time_created: '2026-03-01T10:00:00Z', time_modified: '2026-03-01T10:00:00Z' }

const image = (name: string, gibibytes: number, project_id: string | null) => ({
  id: `id-of-${name}`,
  name,
  os: 'Alpine',
  version: '3',
  size: gibibytes * GIB,
  project_id,
  ...times,
})

const snapshot = (name: string, gibibytes: number, disk: string, state = 'ready') => ({
  id: `id-of-${name}`,
  name,
  disk_id: disk,
  size: gibibytes * GIB,
  state,
  ...times,
})

async function answer(url: string): Promise<Response> {
  const { pathname } = new URL(url, 'http://cloud')
  const page = (items: object[]) => Response.json({ items, next_page: null })
  if (pathname === '/v1/disks') return page([{ id: 'd', name: 'data', ...times }])
  if (pathname === '/v1/snapshots') {
    return page([
      snapshot('nightly', 20, 'd'),
      snapshot('orphan', 1, 'gone'),
      snapshot('unfinished', 1, 'd', 'creating'),
      snapshot('broken', 1, 'd', 'faulted'),
    ])
  }
  return pathname === '/experimental/v1/silo-images'
    ? page([image('shared', 5, null)])
    : page([image('own', 12, 'p')])
}

beforeEach(() => {
  queryClient.clear()
  configureTransport({ fetch: answer })
})

function show(isForImport = false) {
  const onSubmit = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <DiskForm
        calls={null}
        project="web"
        isForImport={isForImport}
        onSubmit={onSubmit}
        onDismiss={() => undefined}
        loading={false}
        submitError={null}
      />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), onSubmit }
}

type User = ReturnType<typeof userEvent.setup>

async function openSources(user: User, kind: 'Image' | 'Snapshot') {
  await user.click(screen.getByRole('radio', { name: kind }))
  const button = await screen.findByRole('button', { name: `Source ${kind.toLowerCase()}` })
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false))
  await user.click(button)
}

const size = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Size (GiB)' })

const submit = (user: User) => user.click(screen.getByRole('button', { name: 'Create disk' }))

describe('DiskForm', () => {
  it('offers images of the project before those of the silo, and says which is which', async () => {
    const { user } = show()
    await openSources(user, 'Image')
    const options = await screen.findAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual([
      'ownAlpine / 3 / 12 GiB / Project image',
      'sharedAlpine / 3 / 5 GiB / Silo image',
    ])
  })

  it('offers snapshots that can be read, with the disk that they are of while it is there', async () => {
    const { user } = show()
    await openSources(user, 'Snapshot')
    const options = await screen.findAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual([
      'nightlyCreated on Mar 1, 2026 from data / 20 GiB',
      'orphanCreated on Mar 1, 2026 / 1 GiB',
      'unfinishedCreated on Mar 1, 2026 from data / 1 GiB',
    ])
  })

  it('raises the size for a larger source, never lowers it, and sends the source', async () => {
    const { user, onSubmit } = show()
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'copy')
    await openSources(user, 'Image')
    await user.click(await screen.findByRole('option', { name: /^own/ }))
    expect(size().value).toBe('20')
    await user.click(screen.getByRole('button', { name: 'Source image' }))
    await user.click(await screen.findByRole('option', { name: /^shared\b/ }))
    expect(size().value).toBe('20')
    await submit(user)
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce())
    expect(onSubmit.mock.calls[0]?.[0]).toMatchObject({
      source: 'image',
      imageId: 'id-of-shared',
      size: 20,
    })
  })

  it('refuses a size below that of the source, and a source that was not chosen', async () => {
    const { user, onSubmit } = show()
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'copy')
    await openSources(user, 'Snapshot')
    await user.keyboard('{Escape}')
    await submit(user)
    expect(await screen.findByText('Source snapshot is required')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Source snapshot' }))
    await user.click(await screen.findByRole('option', { name: /^nightly/ }))
    await user.clear(size())
    await user.type(size(), '19')
    await submit(user)
    expect(
      await screen.findByText('Must be as large as selected snapshot (min. 20 GiB)'),
    ).toBeTruthy()
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('forgets source and block size when the kind of source changes', async () => {
    const { user } = show()
    await user.click(screen.getByRole('radio', { name: '512' }))
    await user.click(screen.getByRole('radio', { name: 'Image' }))
    expect(screen.queryByRole('radiogroup', { name: 'Block size (Bytes)' })).toBeNull()
    await user.click(screen.getByRole('radio', { name: 'Blank' }))
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '4096' }).checked).toBe(true)
  })

  it('offers a disk to import into only where that is of use', () => {
    show()
    expect(screen.queryByRole('radio', { name: 'Import' })).toBeNull()
  })

  it('says what a disk to import into waits for', async () => {
    const { user } = show(true)
    await user.click(screen.getByRole('radio', { name: 'Import' }))
    expect(screen.getByText(/waits for a client/)).toBeTruthy()
    expect(screen.getByRole('radiogroup', { name: 'Block size (Bytes)' })).toBeTruthy()
  })
})
