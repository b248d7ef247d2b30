import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { beforeEach, expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { GIB } from '~/lib/units'

import { DISK_FORM_DEFAULTS } from './disk-form'
import type { DiskFormValues } from './disk-form'
import { DiskSummary } from './disk-summary'

const counts = (storage: number) => ({ cpus: 0, memory: 0, storage })

const image = {
  id: 'i1',
  name: 'debian',
  os: 'Debian',
  version: '13',
  size: 8 * GIB,
  block_size: 512,
  time_created: '2026-01-01T00:00:00Z',
}
const snapshot = {
  id: 's1',
  name: 'nightly',
  disk_id: 'd1',
  size: 2 * GIB,
  state: 'ready',
  time_created: '2026-01-02T12:00:00Z',
}
const disk = { id: 'd1', name: 'data', size: 2 * GIB, block_size: 4096 }

let asked: string[]
let mayReadQuota: boolean

beforeEach(() => {
  queryClient.clear()
  asked = []
  mayReadQuota = true
  configureTransport({
    host: '',
    fetch: (url) => {
      const { pathname } = new URL(String(url), 'http://croft.test')
      asked.push(pathname)
      if (pathname === '/v1/utilization') {
        return Promise.resolve(
          mayReadQuota
            ? Response.json({ capacity: counts(100 * GIB), provisioned: counts(60 * GIB) })
            : Response.json({ message: 'Forbidden' }, { status: 403 }),
        )
      }
      const items: Record<string, object> = {
        '/v1/images': image,
        '/v1/snapshots': snapshot,
        '/v1/disks': disk,
      }
      const item = items[pathname]
      return Promise.resolve(Response.json({ items: item ? [item] : [] }))
    },
  })
})

function Form({ values }: { values: Partial<DiskFormValues> }) {
  const { control, register } = useForm<DiskFormValues>({
    defaultValues: { ...DISK_FORM_DEFAULTS, ...values },
  })
  return (
    <>
      <input aria-label="Size" {...register('size')} />
      <DiskSummary project="web" control={control} />
    </>
  )
}

const show = (values: Partial<DiskFormValues> = {}) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Form values={values} />
    </QueryClientProvider>,
  )

it('says what a blank disk takes of the quota, while its size is typed', async () => {
  show()
  await screen.findByText('10 GiB of 40 GiB free')
  screen.getByText('4096 B')
  screen.getByText('Nothing. The disk reads as zeros.')
  expect(screen.getByRole('status').textContent).toBe('')
  const size = screen.getByLabelText('Size')
  await userEvent.clear(size)
  await userEvent.type(size, '41')
  await screen.findByText('41 GiB, but only 40 GiB free')
  screen.getByText('This would be refused')
  screen.getByText('It takes 41 GiB of storage, and the quota of the silo has 40 GiB left.')
  // Nothing is asked for but the quota.
  expect(asked).toEqual(['/v1/utilization'])
})

it('says what is in an image, and that the disk is too small for it', async () => {
  show({ source: 'image', imageId: 'i1', sourceSize: 8 * GIB, size: 4 })
  await screen.findByText('Image debian')
  screen.getByText('Debian 13')
  screen.getByText('512 B')
  await screen.findByText('This would be refused')
  await userEvent.clear(screen.getByLabelText('Size'))
  await userEvent.type(screen.getByLabelText('Size'), '9')
  await screen.findByText('The last 1 GiB read as zeros.')
  expect(screen.queryByText('This would be refused')).toBeNull()
})

it('says what a snapshot is of', async () => {
  show({ source: 'snapshot', snapshotId: 's1', sourceSize: 2 * GIB })
  await screen.findByText('Snapshot nightly')
  await screen.findByText('Disk data, Jan 2, 2026')
  screen.getByText('4096 B')
})

it('leaves out the quota for who may not read it', async () => {
  mayReadQuota = false
  show()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  screen.getByText('4096 B')
  expect(screen.queryByText('Quota')).toBeNull()
})
