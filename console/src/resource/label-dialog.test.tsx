import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import * as text from '~/messages/labels'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { LabelDialog, openLabels } from './label-dialog'

interface Sent {
  revision: number
  labels: { key: string; value: string }[]
}

let stored: Sent
let sent: Sent[]
let isClosed: boolean

beforeEach(() => {
  stored = { revision: 3, labels: [{ key: 'env', value: 'prod' }] }
  sent = []
  isClosed = false
  clearToasts()
  configureTransport({
    host: '',
    fetch: async (url, init) => {
      if (String(url).includes('labels-in-use'))
        return Response.json({ items: ['env', 'team'], is_complete: true })
      if (init?.method === 'PUT') {
        const body = JSON.parse(String(init.body)) as Sent
        sent.push(body)
        if (body.revision !== stored.revision)
          return Response.json({ message: 'changed', request_id: 'r' }, { status: 409 })
        stored = { revision: body.revision + 1, labels: body.labels }
      }
      return Promise.resolve(Response.json({ kind: 'disk', id: 'd1', name: 'data', ...stored }))
    },
  })
})

afterEach(() => queryClient.clear())

async function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <LabelDialog
        thing={{ kind: 'disk', id: 'd1', name: 'data', project: 'web' }}
        onDismiss={() => {
          isClosed = true
        }}
      />
      <ToastStack />
    </QueryClientProvider>,
  )
  await screen.findByLabelText(text.keyOfLabel(1))
  return userEvent.setup()
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)

it('adds and removes labels', async () => {
  const user = await show()
  expect(field(text.keyOfLabel(1)).value).toBe('env')
  await user.click(screen.getByRole('button', { name: text.addLabel }))
  await waitFor(() => expect(document.activeElement).toBe(field(text.keyOfLabel(2))))
  await user.keyboard('team{Tab}shop')
  expect(field(text.valueOfLabel(2)).value).toBe('shop')
  await user.click(screen.getByRole('button', { name: text.removeLabel('env=prod') }))
  await waitFor(() => expect(document.activeElement).toBe(field(text.keyOfLabel(1))))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(isClosed).toBe(true))
  expect(sent).toEqual([{ revision: 3, labels: [{ key: 'team', value: 'shop' }] }])
})

it('says what is wrong at the field, which gets the focus', async () => {
  const user = await show()
  await user.clear(field(text.valueOfLabel(1)))
  await user.type(field(text.valueOfLabel(1)), 'two words')
  await user.click(screen.getByRole('button', { name: text.saveLabel }))
  expect(screen.getByText(text.valueError)).toBeDefined()
  expect(document.activeElement).toBe(field(text.valueOfLabel(1)))
  expect(field(text.valueOfLabel(1)).getAttribute('aria-invalid')).toBe('true')
  expect(sent).toEqual([])
})

it('does not undo what somebody else changed meanwhile', async () => {
  const user = await show()
  stored = { revision: 4, labels: [{ key: 'team', value: 'shop' }] }
  await user.click(screen.getByRole('button', { name: text.saveLabel }))
  await screen.findByText(text.changedTitle)
  expect(stored.labels).toEqual([{ key: 'team', value: 'shop' }])
  await user.click(screen.getByRole('button', { name: text.loadCurrentLabel }))
  await waitFor(() => expect(field(text.keyOfLabel(1)).value).toBe('team'))
  expect(isClosed).toBe(false)
})

it('returns the focus to where it was, also if the labels had to be loaded first', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <button type="button">Menu</button>
      <ConfirmHost />
    </QueryClientProvider>,
  )
  const menu = screen.getByRole('button', { name: 'Menu' })
  menu.focus()
  act(() => openLabels({ kind: 'disk', id: 'd1', name: 'data' }))
  await screen.findByRole('dialog')
  await waitFor(() => expect(document.activeElement).toBe(field(text.keyOfLabel(1))))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(menu))
})
