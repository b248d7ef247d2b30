import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { FakeImageServer, failure } from '~/resource/fake-image-server'
import { clearToasts, ToastStack } from '~/ui/toast'

import { UploadProgress } from './-upload-progress'
import { useImageUpload } from './-use-image-upload'

const request = {
  project: 'web',
  name: 'alpine',
  description: '',
  os: 'Alpine',
  version: '3.22',
  blockSize: 512 as const,
  file: new File([new Uint8Array(1024 * 1024).fill(1)], 'alpine.raw'),
}

function Upload() {
  const { progress, isBusy, start, close } = useImageUpload('ada')
  return (
    <>
      <button onClick={() => void start(request)}>Upload</button>
      <output>{isBusy ? 'busy' : 'idle'}</output>
      {progress && (
        <UploadProgress project="web" progress={progress} onDismiss={close} onDone={close} />
      )}
      <ToastStack />
    </>
  )
}

let server: FakeImageServer

beforeEach(() => {
  server = new FakeImageServer()
  configureTransport({ fetch: server.answer })
  clearToasts()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const statusOf = (label: string) =>
  screen.getByTestId(`upload-step: ${label}`).getAttribute('data-status')

const isIdle = () => waitFor(() => expect(screen.getByText('idle')).toBeTruthy())

async function startUpload() {
  const user = userEvent.setup()
  render(<Upload />)
  await user.click(screen.getByText('Upload'))
  return user
}

describe('UploadProgress', () => {
  it('ends with every step complete and the way on', async () => {
    await startUpload()
    await waitFor(() => expect(statusOf('Image uploaded successfully')).toBe('complete'))
    expect(statusOf('Delete disk and snapshot')).toBe('complete')
    const bar = screen.getByRole('progressbar', { name: 'Upload progress' })
    expect(bar.getAttribute('aria-valuenow')).toBe('100')
    expect(screen.getByText(/1\.00 MiB \/ 1\.00 MiB/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Done' }).hasAttribute('aria-disabled')).toBe(false)
    expect(screen.getByRole('button', { name: 'Back' })).toBeTruthy()
    await isIdle()
  })

  it('shows where it failed and why, and cannot be ended as if it had not', async () => {
    server.refusals['POST disk/bulk-write-stop'] = () => failure(500, 'Internal')
    await startUpload()
    expect(await screen.findByText('Something went wrong. Please try again.')).toBeTruthy()
    expect(statusOf('Upload image file')).toBe('complete')
    expect(statusOf('Get disk out of import mode')).toBe('error')
    expect(statusOf('Create image')).toBe('ready')
    expect(screen.getByRole('button', { name: 'Done' }).getAttribute('aria-disabled')).toBe('true')
    await isIdle()
    expect(server.disks.size).toBe(0)
  })

  it('leads to the snapshot when only the image could not be made', async () => {
    server.refusals['POST image'] = () => failure(507, 'InsufficientCapacity')
    await startUpload()
    const link = await screen.findByRole('link', { name: /^Create the image from snapshot/ })
    const [kept] = server.snapshots.keys()
    expect(link.getAttribute('href')).toBe(`/projects/web/snapshots/${kept}/images-new`)
    await isIdle()
  })

  it('removes everything when it is closed, and can start again', async () => {
    let answerStart = () => {}
    server.refusals['POST disk/bulk-write-start'] = () =>
      new Promise((resolve) => {
        answerStart = () => resolve(new Response(null, { status: 204 }))
      })
    const user = await startUpload()
    await waitFor(() => expect(statusOf('Put disk in import mode')).toBe('running'))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    answerStart()
    await isIdle()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(server.disks.size).toBe(0)
    await user.click(screen.getByText('Upload'))
    await waitFor(() => expect(statusOf('Image uploaded successfully')).toBe('complete'))
  })

  it('says what it could not remove', async () => {
    server.refusals['POST disk/finalize'] = () => failure(500, 'Internal')
    server.refusals['DELETE disk'] = () => failure(500, 'Internal')
    await startUpload()
    await isIdle()
    const [left] = server.disks.values()
    expect(screen.getByTestId('Toasts').textContent).toContain(`Not deleted: disk ${left?.name}.`)
  })
})
