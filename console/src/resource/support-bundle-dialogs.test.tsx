import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { SupportBundleInfo } from '~/api/generated/types.gen'
import { queryClient } from '~/api/query-client'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { supportBundleActions } from './support-bundle-actions'
import { CreateSupportBundle, EditSupportBundle } from './support-bundle-dialogs'

const bundle: SupportBundleInfo = {
  id: 'e2e8f5c6',
  timeCreated: new Date(0),
  reasonForCreation: 'Created by external API',
  state: 'active',
  userComment: 'slow',
}

let sent: string[] = []
let refusal: string | undefined

beforeEach(() => {
  sent = []
  refusal = undefined
  clearToasts()
  queryClient.clear()
  configureTransport({
    host: '',
    fetch: async (url, { method, body }) => {
      sent.push([method, url, body].filter(Boolean).join(' '))
      if (refusal) return Response.json({ message: refusal }, { status: 507 })
      return method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(bundle)
    },
  })
})

function show(dialog: ReactNode) {
  render(
    <QueryClientProvider client={queryClient}>
      {dialog}
      <ConfirmHost />
      <ToastStack />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

const PATH = '/experimental/v1/system/support-bundles'

it('a bundle is made without a comment, or with one', async () => {
  const onDismiss = vi.fn()
  const user = show(<CreateSupportBundle onDismiss={onDismiss} />)
  const create = screen.getByRole('button', { name: 'Create support bundle' })
  await user.click(create)
  await waitFor(() => expect(onDismiss).toHaveBeenCalledOnce())
  await user.type(screen.getByRole('textbox', { name: /Comment/ }), ' It is slow ')
  await user.click(create)
  await waitFor(() => expect(onDismiss).toHaveBeenCalledTimes(2))
  expect(sent).toEqual([
    `POST ${PATH} {"user_comment":null}`,
    `POST ${PATH} {"user_comment":"It is slow"}`,
  ])
  expect(screen.getByTestId('Toasts').textContent).toContain('Support bundle is being collected')
})

it('a refusal is said in the words of the server', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  refusal = 'no disks are available'
  const user = show(<CreateSupportBundle onDismiss={() => undefined} />)
  await user.click(screen.getByRole('button', { name: 'Create support bundle' }))
  expect((await screen.findByRole('alert')).textContent).toContain('No disks are available')
})

it('a comment is changed, and cleared', async () => {
  const onDismiss = vi.fn()
  const user = show(<EditSupportBundle bundle={bundle} onDismiss={onDismiss} />)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Comment/ })
  expect(field.value).toBe('slow')
  await user.clear(field)
  await user.click(screen.getByRole('button', { name: 'Update comment' }))
  await waitFor(() => expect(onDismiss).toHaveBeenCalledOnce())
  expect(sent).toEqual([`PUT ${PATH}/e2e8f5c6 {"user_comment":null}`])
})

it('a bundle is deleted after a question', async () => {
  const leave = vi.fn(async () => undefined)
  const user = show(null)
  const actions = supportBundleActions(bundle, { openEdit: vi.fn(), leave })
  actions.find(({ label }) => label === 'Delete')?.perform?.()
  await screen.findByText('Confirm delete support bundle')
  expect(screen.getByText('Its files are lost unless you have downloaded them.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(leave).toHaveBeenCalledOnce())
  expect(sent).toEqual([`DELETE ${PATH}/e2e8f5c6`])
})

it('one that is going already can be neither deleted nor downloaded', () => {
  const going = supportBundleActions({ ...bundle, state: 'destroying' }, { openEdit: vi.fn() })
  expect(going.map(({ label, disabledReason }) => [label, disabledReason])).toEqual([
    ['Download', 'It is being deleted'],
    ['Edit comment', undefined],
    ['Activity', undefined],
    ['Show as code', undefined],
    ['Delete', 'It is being deleted'],
  ])
})
