import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { clearToasts, ToastStack } from '~/ui/toast'

import { ImageDemoteDialog } from './image-demote-dialog'
import { ImagePromoteDialog } from './image-promote-dialog'

const image = (name: string) => ({
  id: `id-of-${name}`,
  name,
  os: 'alpine',
  version: '3',
  size: 1024 ** 3,
})

let changes: string[] = []
let refusal: string | undefined

async function answer(url: string, init: RequestInit): Promise<Response> {
  const { pathname, searchParams } = new URL(url, 'http://cloud')
  const page = (items: object[]) => Response.json({ items, next_page: null })
  if (pathname === '/experimental/v1/me/projects') return page([{ name: 'shop' }, { name: 'web' }])
  if (pathname === '/v1/images') return page([image(`${searchParams.get('project')}-image`)])
  changes.push(`${init.method} ${url}`)
  if (refusal) {
    return Response.json({ error_code: 'InvalidRequest', message: refusal }, { status: 400 })
  }
  return Response.json(image('arch'), { status: 202 })
}

beforeEach(() => {
  queryClient.clear()
  clearToasts()
  changes = []
  refusal = undefined
  configureTransport({ fetch: answer })
})

function show(dialog: ReactNode) {
  render(
    <QueryClientProvider client={queryClient}>
      {dialog}
      <ToastStack />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

async function chooseProject(user: ReturnType<typeof userEvent.setup>, name: string) {
  const project = screen.getByRole('combobox', { name: /Project/ })
  await user.clear(project)
  await user.type(project, name)
  await user.click(await screen.findByRole('option', { name }))
}

const imageButton = () => screen.getByRole('button', { name: /^Image/ })

async function chooseImage(user: ReturnType<typeof userEvent.setup>, name: string) {
  await waitFor(() => expect(imageButton().hasAttribute('disabled')).toBe(false))
  await user.click(imageButton())
  await user.click(await screen.findByRole('option', { name }))
}

describe('ImagePromoteDialog', () => {
  it('offers the images of the chosen project only, and forgets the choice with the project', async () => {
    const onDismiss = vi.fn()
    const user = show(<ImagePromoteDialog onDismiss={onDismiss} />)
    expect(imageButton().hasAttribute('disabled')).toBe(true)
    await chooseProject(user, 'shop')
    await chooseImage(user, 'shop-image')
    expect(imageButton().textContent).toContain('shop-image')
    await chooseProject(user, 'web')
    await waitFor(() => expect(imageButton().textContent).toContain('Select an image'))
    await chooseImage(user, 'web-image')
    await user.click(screen.getByRole('button', { name: 'Promote' }))
    await waitFor(() => expect(onDismiss).toHaveBeenCalledOnce())
    expect(changes).toEqual(['POST /v1/images/id-of-web-image/promote'])
    expect(screen.getByTestId('Toasts').textContent).toContain('Image arch promoted')
  })
})

describe('ImageDemoteDialog', () => {
  it('needs a project, and leads to its images afterwards', async () => {
    const onDismiss = vi.fn()
    const user = show(<ImageDemoteDialog image={image('arch')} onDismiss={onDismiss} />)
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Demote' }))
    expect(await screen.findByText('Project is required')).toBeTruthy()
    await chooseProject(user, 'web')
    await user.click(screen.getByRole('button', { name: 'Demote' }))
    await waitFor(() => expect(onDismiss).toHaveBeenCalledOnce())
    expect(changes).toEqual(['POST /v1/images/id-of-arch/demote?project=web'])
    const link = screen.getByRole('link', { name: 'View images in web' })
    expect(link.getAttribute('href')).toBe('/projects/web/images')
  })

  it('closes on a refusal, too, and says why', async () => {
    refusal = 'cannot demote a project image'
    const onDismiss = vi.fn()
    const user = show(<ImageDemoteDialog image={image('arch')} onDismiss={onDismiss} />)
    await chooseProject(user, 'web')
    await user.click(screen.getByRole('button', { name: 'Demote' }))
    await waitFor(() => expect(onDismiss).toHaveBeenCalledOnce())
    const toasts = within(screen.getByTestId('Toasts'))
    await toasts.findByText('Cannot demote a project image')
  })
})
