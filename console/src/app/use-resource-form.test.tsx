import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { Operation } from '~/api/operation'
import { q } from '~/api/query'
import { queryClient } from '~/api/query-client'
import { ModalForm } from '~/ui/form/modal-form'
import { clearToasts, ToastStack } from '~/ui/toast'

import { useResourceForm } from './use-resource-form'

interface Thing {
  name: string
}

const thingView: Operation<{ path: { thing: string }; url: string }, Thing> = {
  name: 'thingView',
  method: 'GET',
  path: '/v1/things/{thing}',
}
const thingUpdate: Operation<{ path: { thing: string }; body: Thing; url: string }, Thing> = {
  name: 'thingUpdate',
  method: 'PUT',
  path: '/v1/things/{thing}',
}

/** What happened, in order. */
let events: string[]
let answer: Response
const view = (thing: string) => q(thingView, { path: { thing } })

function EditThing({ mayRename }: { mayRename?: boolean }) {
  const { shell } = useResourceForm({
    operation: thingUpdate,
    defaultValues: { name: 'new' },
    input: (body) => ({ path: { thing: 'old' }, body }),
    refreshes: [thingView],
    view: ({ name }) => view(name),
    mayRename,
    leave: (thing) => events.push(thing ? `left for ${thing.name}` : 'dismissed'),
    toast: ({ name }) => <>Thing {name} updated</>,
  })
  return (
    <ModalForm {...shell} title="Edit thing" submitLabel="Update thing">
      {null}
    </ModalForm>
  )
}

function show(mayRename?: boolean) {
  render(
    <QueryClientProvider client={queryClient}>
      <EditThing mayRename={mayRename} />
      <ToastStack />
    </QueryClientProvider>,
  )
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const toasts = () => screen.getByTestId('Toasts').textContent

beforeEach(() => {
  events = []
  answer = Response.json({ name: 'new' })
  clearToasts()
  configureTransport({
    host: '',
    fetch: (url, init) => {
      events.push(`${init?.method} ${String(url)} ${String(init?.body)}`)
      return Promise.resolve(answer)
    },
  })
  vi.spyOn(queryClient, 'invalidateQueries').mockImplementation((filters) => {
    events.push(`refreshed ${String(filters?.queryKey?.[0])}`)
    return Promise.resolve()
  })
})

afterEach(() => queryClient.clear())

it('sends what was entered, asks again for what it changed, leaves and says so', async () => {
  show()
  press('Update thing')
  await waitFor(() => expect(toasts()).toContain('Thing new updated'))
  expect(events).toEqual([
    'PUT /v1/things/old {"name":"new"}',
    'refreshed thingView',
    'left for new',
  ])
  expect(queryClient.getQueryData(view('new').queryKey)).toEqual({ name: 'new' })
})

it('leaves before it asks again for a thing that may have another name', async () => {
  show(true)
  press('Update thing')
  await waitFor(() => expect(toasts()).toContain('Thing new updated'))
  expect(events.slice(1)).toEqual(['left for new', 'refreshed thingView'])
})

it('stays and says why when it was refused', async () => {
  answer = Response.json({ message: 'That name is taken.' }, { status: 400 })
  show()
  press('Update thing')
  await screen.findByText('That name is taken.')
  expect(events).toHaveLength(1)
  expect(toasts()).toBe('')
})

it('is dismissed without anything being sent', () => {
  show()
  press('Cancel')
  expect(events).toEqual(['dismissed'])
})
