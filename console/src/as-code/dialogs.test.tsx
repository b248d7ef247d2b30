import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { Instance } from '~/api/generated/types.gen'
import { queryClient } from '~/api/query-client'
import type { AccessData } from '~/resource/access'
import { AccessEditForm } from '~/resource/access-forms'
import { LabelDialog } from '~/resource/label-dialog'
import { SetPassword } from '~/resource/local-user-set-password'
import { AttachDisk } from '~/routes/_authenticated/projects/$project/instances/$instance/-attach-disk'
import { AttachFloatingIp } from '~/routes/_authenticated/projects/$project/instances/$instance/-attach-floating-ip'
import { AutoRestartCard } from '~/routes/_authenticated/projects/$project/instances/$instance/-auto-restart-card'
import { AddTrustRoot } from '~/routes/_authenticated/system/updates/-updates/add-trust-root'
import { FindRelease } from '~/routes/_authenticated/system/updates/-updates/find-release'
import { UploadRepository } from '~/routes/_authenticated/system/updates/-updates/upload-repository'

import { runInShell } from './run-in-shell'

// Dialogs show as code exactly what they send.

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  useNavigate: () => () => undefined,
}))

vi.mock('~/app/session', () => ({
  ownGroups: { queryKey: ['own-groups'], queryFn: () => ({ items: [] }) },
  useSession: () => ({ me: { id: 'me' }, isFleetViewer: true }),
}))

interface Sent {
  method: string
  url: string
  body: string | undefined
}

let sent: Sent[]

const disk = {
  id: 'd',
  name: 'data',
  description: '',
  size: 2 ** 30,
  state: { state: 'detached' },
}

function answer(url: string, init: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(url, 'http://cloud')
  if (init.method === 'GET') {
    if (pathname.endsWith('/labels-in-use')) return json({ items: [], is_complete: true })
    if (pathname === '/v1/disks') return json({ items: [disk], next_page: null })
    if (pathname.startsWith('/experimental/v1/labels/')) {
      return json({ kind: 'disk', id: 'd', name: 'data', revision: 3, labels: [] })
    }
    if (pathname === '/v1/policy') return json({ role_assignments: policies.silo })
  }
  const { body } = init
  sent.push({
    method: String(init.method),
    url: pathname + search,
    body: body === undefined || body === null ? undefined : String(body),
  })
  return json({ items: [], id: 'x', name: 'x', ip: '::1' })
}

const json = (value: unknown) => Promise.resolve(Response.json(value))

const hans = { id: 'hans-id', displayName: 'Hans Jonas', siloId: 'silo' }

const policies = {
  silo: [
    { identityId: 'me', identityType: 'silo_user' as const, roleName: 'admin' as const },
    { identityId: hans.id, identityType: 'silo_user' as const, roleName: 'viewer' as const },
  ],
}

const access: AccessData = { policies, users: [hans], groups: [], groupsOfUser: new Map() }

const instance = {
  id: 'i',
  name: 'db',
  ncpus: 2,
  memory: 4,
  autoRestartPolicy: null,
  runState: 'running',
} as unknown as Instance

beforeEach(() => {
  sent = []
  queryClient.clear()
  queryClient.setQueryData(['own-groups'], { items: [] })
  configureTransport({ host: '', fetch: (url, init) => answer(url, init ?? {}) })
})

type User = ReturnType<typeof userEvent.setup>

function show(dialog: ReactNode): User {
  render(<QueryClientProvider client={queryClient}>{dialog}</QueryClientProvider>)
  return userEvent.setup()
}

const code = () => screen.queryByRole('region', { name: 'Code' })?.textContent ?? ''

/** Opens the code as commands of the client. */
async function openCode(user: User) {
  await user.click(await screen.findByText('Show as code'))
  await waitFor(() =>
    expect(
      screen.queryByRole('radiogroup', { name: 'Formats' }) ??
        screen.queryByText(/^Fill in the required fields/),
    ).toBeTruthy(),
  )
}

const nothing = () => undefined

const choose = async (user: User, field: RegExp, option: RegExp) => {
  await user.click(screen.getByRole('button', { name: field }))
  await user.click(await screen.findByRole('option', { name: option }))
}

interface Case {
  dialog: ReactNode
  /** Whether the code is not there before the form is filled in. */
  isIncomplete?: boolean
  fill: (user: User) => Promise<unknown>
  submit: string
  /** A part of the command of the client. */
  cli: string
}

const cases: Record<string, Case> = {
  'attach disk': {
    dialog: <AttachDisk project="web" instance="db" onDismiss={nothing} />,
    fill: async (user) => {
      await user.click(await screen.findByRole('combobox', { name: /Disk name/ }))
      await user.click(await screen.findByRole('option', { name: /data/ }))
    },
    submit: 'Attach disk',
    cli: 'croft instance disk attach \\\n  --project web \\\n  --instance db',
  },
  'attach floating IP': {
    dialog: (
      <AttachFloatingIp
        instance={instance}
        floatingIps={[{ id: 'f', name: 'front', ip: '::1', description: '' } as never]}
        onDismiss={nothing}
      />
    ),
    isIncomplete: true,
    fill: (user) => choose(user, /Floating IP/, /front/),
    submit: 'Attach floating IP',
    cli: 'croft floating-ip attach \\\n  --floating-ip f',
  },
  'auto-restart': {
    dialog: <AutoRestartCard instance={instance} />,
    fill: (user) => choose(user, /Policy/, /Never/),
    submit: 'Save',
    cli: 'croft instance update \\\n  --instance i',
  },
  'change a role': {
    dialog: (
      <AccessEditForm
        scope={{ kind: 'silo' }}
        data={access}
        row={{
          id: hans.id,
          identityType: 'silo_user',
          name: hans.displayName,
          roles: [],
          ownRole: 'viewer',
          effective: 'viewer',
          sources: [],
        }}
        onDismiss={nothing}
      />
    ),
    fill: (user) => choose(user, /Role/, /Collaborator/),
    submit: 'Update role',
    cli: 'croft policy update',
  },
  labels: {
    dialog: <LabelDialog thing={{ kind: 'disk', id: 'd', name: 'data' }} onDismiss={nothing} />,
    fill: async (user) => {
      await user.type(screen.getAllByRole('combobox')[0] as HTMLElement, 'env')
      await user.type(screen.getAllByRole('combobox')[1] as HTMLElement, 'prod')
    },
    submit: 'Save labels',
    cli: 'croft labels update \\\n  --kind disk \\\n  --id d',
  },
  'find a release': {
    dialog: <FindRelease onDismiss={nothing} onFound={nothing} />,
    isIncomplete: true,
    fill: (user) => user.type(screen.getByRole('textbox', { name: /Version/ }), '1.2.3'),
    submit: 'Find release',
    cli: 'croft system update repository view \\\n  --system-version 1.2.3',
  },
}

describe.each(Object.entries(cases))('%s', (_, { dialog, isIncomplete, fill, submit, cli }) => {
  it('shows what it sends', async () => {
    const user = show(dialog)
    await openCode(user)
    if (isIncomplete) expect(code()).toBe('')
    await fill(user)
    await waitFor(() => expect(code()).toContain(cli))
    await user.click(screen.getByRole('radio', { name: 'API' }))
    const { words } = runInShell('curl', code())
    await user.click(screen.getByRole('button', { name: submit }))
    await waitFor(() => expect(sent).not.toEqual([]))
    const [{ method, url, body }] = sent as [Sent]
    expect(words).toContain(window.location.origin + url)
    expect(words.includes('-X') ? words[1] : 'GET').toBe(method)
    expect(body && JSON.parse(body)).toEqual(
      words.includes('-d') ? JSON.parse(words.at(-1) ?? '') : undefined,
    )
  })
})

it('leaves a password out, and has the call that makes it the first one', async () => {
  const user = show(<SetPassword silo="red" user={hans} onDismiss={nothing} />)
  await openCode(user)
  expect(code()).toContain('"value": "$PASSWORD"')
  expect(code()).toContain('silo local-idp user set-password')
  expect(code()).toContain('silo local-idp user require-password-change')
  await screen.findByText(/^Secrets are left out/)
})

it('sends a text and a file as they are', async () => {
  const user = show(<AddTrustRoot onDismiss={nothing} />)
  await openCode(user)
  expect(code()).toBe('')
  const role = '{"signed": {"_type": "root", "b": 1e0},  "signatures": []}'
  await user.click(screen.getByRole('textbox', { name: /Root role/ }))
  await user.paste(role)
  await waitFor(() => expect(runInShell('croft', code()).input).toBe(`${role}\n`))
})

it('names the file that is uploaded', async () => {
  const user = show(<UploadRepository onDismiss={nothing} onUploaded={nothing} />)
  await openCode(user)
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  await user.upload(input as HTMLInputElement, new File(['x'], "it's.zip"))
  await waitFor(() => expect(code()).not.toBe(''))
  expect(runInShell('croft', code()).words).toEqual([
    'system',
    'update',
    'repository',
    'put',
    "--file-name=it's.zip",
    '--file',
    "./it's.zip",
  ])
  await user.click(screen.getByRole('radio', { name: 'API' }))
  expect(runInShell('curl', code()).words.slice(-2)).toEqual(['-T', "./it's.zip"])
})
