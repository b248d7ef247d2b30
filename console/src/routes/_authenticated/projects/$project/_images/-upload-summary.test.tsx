import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { GIB } from '~/lib/units'

import { UploadSummary } from './-upload-summary'

const counts = (gib: number) => ({ cpus: 0, memory: 0, storage: gib * GIB })

it('says what an upload takes on the way and for good', async () => {
  queryClient.clear()
  configureTransport({
    host: '',
    fetch: () => Promise.resolve(Response.json({ capacity: counts(3), provisioned: counts(2) })),
  })
  const file = new File([new Uint8Array(1000)], 'debian.raw')
  render(
    <QueryClientProvider client={queryClient}>
      <UploadSummary file={file} blockSize={512} />
    </QueryClientProvider>,
  )
  screen.getByText('debian.raw')
  screen.getByText(/^A disk and a snapshot of 1 GiB each are made/)
  screen.getByText(/^The file is no multiple of the block size/)
  await screen.findByText('2 GiB, but only 1 GiB free')
  await screen.findByText('This would be refused')
  expect(screen.getByText(/^The image keeps/).textContent).toContain('1 GiB')
})
