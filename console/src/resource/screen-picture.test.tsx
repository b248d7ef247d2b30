import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'

import type { InstanceRunState } from './instance-state'
import { ScreenPicture } from './screen-picture'

const drawImage = vi.fn()
const close = vi.fn()

beforeEach(() => {
  queryClient.clear()
  vi.stubGlobal('createImageBitmap', async () => ({ width: 480, height: 250, close }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    drawImage,
  } as unknown as RenderingContext)
})

function show(runState: InstanceRunState, status = 200) {
  const fetched = vi.fn(async () => new Response('picture', { status }))
  configureTransport({ fetch: fetched })
  render(
    <QueryClientProvider client={queryClient}>
      <ScreenPicture instance={{ name: 'db', runState }} project="web" interval={10_000} />
    </QueryClientProvider>,
  )
  return fetched
}

it('draws what the screen shows', async () => {
  const fetched = show('running')
  const picture = await screen.findByRole<HTMLCanvasElement>('img', { name: 'Screen of db' })
  await vi.waitFor(() => expect(drawImage).toHaveBeenCalledOnce())
  expect(picture.width).toBe(480)
  expect(close).toHaveBeenCalledOnce()
  expect(fetched).toHaveBeenCalledWith(
    '/experimental/v1/instances/db/graphical-console/picture?project=web',
    expect.objectContaining({ method: 'GET' }),
  )
})

it('says that there is none, and makes no noise about it', async () => {
  const complain = vi.spyOn(console, 'error')
  show('running', 409)
  expect(await screen.findByText('No picture of the screen')).toBeDefined()
  expect(complain).not.toHaveBeenCalled()
})

it('asks for nothing while the instance does not run', () => {
  expect(show('stopped')).not.toHaveBeenCalled()
  expect(screen.queryByText('No picture of the screen')).toBeNull()
})
