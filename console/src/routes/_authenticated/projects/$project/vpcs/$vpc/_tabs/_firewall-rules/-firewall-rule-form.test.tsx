import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { VpcFirewallRule, VpcFirewallRuleUpdate } from '~/api/generated/types.gen'
import { queryClient } from '~/api/query-client'
import { NEW_RULE } from '~/resource/firewall-rule-form'
import type { FirewallRuleValues } from '~/resource/firewall-rule-form'
import { ConfirmHost } from '~/ui/confirm'

import { FirewallRuleForm } from './-firewall-rule-form'

const lists: Record<string, string[]> = {
  vpcs: ['prod', 'other'],
  'vpc-subnets': ['default', 'back'],
  instances: ['db', 'web'],
}

const onSubmit = vi.fn<(rule: VpcFirewallRuleUpdate) => void>()
const onDismiss = vi.fn<() => void>()

beforeEach(() => {
  onSubmit.mockClear()
  onDismiss.mockClear()
  queryClient.clear()
  configureTransport({
    fetch: async (url) => {
      if (url.includes('/vpc-firewall-rules')) return Response.json({ rules: [] })
      if (url.includes('/reachability-changes')) {
        return Response.json({ changes: [], is_complete: true })
      }
      const names = lists[/\/v1\/([a-z-]+)/.exec(url)?.[1] ?? ''] ?? []
      return Response.json({ items: names.map((name) => ({ id: name, name })) })
    },
  })
})

async function show(initial: Partial<FirewallRuleValues> = {}, changed?: string) {
  render(
    <QueryClientProvider client={queryClient}>
      <FirewallRuleForm
        of={{ project: 'web', vpc: 'prod' }}
        changed={changed}
        initial={{ ...NEW_RULE, ...initial }}
        others={[{ name: 'ssh' } as VpcFirewallRule]}
        onSubmit={onSubmit}
        onDismiss={onDismiss}
        loading={false}
        submitError={null}
      />
      <ConfirmHost />
    </QueryClientProvider>,
  )
  await screen.findByRole('group', { name: 'Add host filter' })
  return userEvent.setup()
}

const group = (name: string) => within(screen.getByRole('group', { name }))
const targets = () => group('Add target')
const hosts = () => group('Add host filter')
const protocols = () => group('Add protocol filter')
const press = (user: UserEvent, name: string) => user.click(screen.getByRole('button', { name }))

const rows = (table: string) =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(0, -1)
        .map((cell) => cell.textContent),
    )

async function choose(user: UserEvent, listbox: HTMLElement, option: string) {
  await user.click(listbox)
  await user.click(await screen.findByRole('option', { name: option }))
}

const portInput = () => screen.getByRole('textbox', { name: /^Port filters/ })

const prod = { type: 'vpc', value: 'prod' } as const

/** Sends the form; a rule without targets is confirmed. */
async function submit(user: UserEvent, name = 'Add rule') {
  await press(user, name)
  if (screen.queryByRole('table', { name: 'Targets' }) === null) {
    const question = await screen.findByRole('alertdialog', {
      name: 'Save a rule without targets?',
    })
    await user.click(within(question).getByRole('button', { name }))
  }
  await waitFor(() => expect(onSubmit).toHaveBeenCalled())
  return onSubmit.mock.calls.at(-1)?.[0]
}

describe('a new rule', () => {
  it('is asked for in this order, and sends every list', async () => {
    const user = await show()
    expect(screen.getByRole('dialog', { name: 'Add firewall rule' })).toBeTruthy()
    expect(screen.getByRole('checkbox', { name: 'Enabled' })).toHaveProperty('checked', true)
    expect(screen.getByRole('radio', { name: 'Allow' })).toHaveProperty('checked', true)
    expect(screen.getByRole('radio', { name: 'Inbound' })).toHaveProperty('checked', true)
    expect(screen.queryByRole('table')).toBeNull()
    await press(user, 'Add rule')
    expect(screen.getByText('Name is required')).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'ssh')
    expect(
      screen.getByText('Name taken. To update an existing rule, edit it directly.'),
    ).toBeTruthy()
    expect(onSubmit).not.toHaveBeenCalled()
    await user.type(screen.getByRole('textbox', { name: 'Name' }), '-2')
    await user.click(screen.getByRole('checkbox', { name: 'Enabled' }))
    await user.click(screen.getByRole('radio', { name: 'Deny' }))
    await user.click(screen.getByRole('radio', { name: 'Outbound' }))
    const priority = screen.getByRole('textbox', { name: 'Priority' })
    await user.clear(priority)
    await user.type(priority, '70000{Tab}')
    expect(priority).toHaveProperty('value', '65535')
    expect(await submit(user)).toEqual({
      name: 'ssh-2',
      description: '',
      status: 'disabled',
      action: 'deny',
      direction: 'outbound',
      priority: 65_535,
      targets: [],
      filters: { hosts: [], ports: [], protocols: [] },
    })
  })

  it('refuses a fraction as its priority', async () => {
    const user = await show({ name: 'a' })
    const priority = screen.getByRole('textbox', { name: 'Priority' })
    await user.clear(priority)
    await user.type(priority, '1.5{Tab}')
    await press(user, 'Add rule')
    expect(screen.getByText('Priority must be a whole number')).toBeTruthy()
    expect(onSubmit).not.toHaveBeenCalled()
  })
})

describe('what is typed and not added', () => {
  it('is part of the rule that is sent', async () => {
    const user = await show({ name: 'a' })
    await user.type(targets().getByRole('combobox', { name: /^VPC name/ }), 'prod{Escape}')
    await user.type(portInput(), '443')
    await choose(user, protocols().getByRole('button', { name: 'Protocol filters' }), 'TCP')
    await choose(user, hosts().getByRole('button', { name: 'Host type' }), 'IP')
    await user.type(hosts().getByRole('textbox', { name: /^IP address/ }), '10.0.0.1')
    await press(user, 'Add rule')
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce())
    expect(onSubmit.mock.calls[0]?.[0]).toMatchObject({
      targets: [prod],
      filters: {
        hosts: [{ type: 'ip', value: '10.0.0.1' }],
        ports: ['443'],
        protocols: [{ type: 'tcp' }],
      },
    })
  })

  it('keeps the rule from being sent while it is wrong', async () => {
    const user = await show({ name: 'a', targets: [prod] })
    await user.type(portInput(), '443-22')
    await press(user, 'Add rule')
    await waitFor(() => expect(document.activeElement).toBe(portInput()))
    expect(onSubmit).not.toHaveBeenCalled()
    await user.clear(portInput())
    await press(user, 'Add rule')
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce())
  })
})

describe('a rule without targets', () => {
  it('is told and has to be confirmed', async () => {
    const user = await show({ name: 'a' })
    const told = 'This rule has no targets and will not apply to anything.'
    expect(screen.getByText(told)).toBeTruthy()
    await press(user, 'Add rule')
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(onSubmit).not.toHaveBeenCalled()
    await user.type(targets().getByRole('combobox', { name: /^VPC name/ }), 'prod{Enter}{Enter}')
    expect(
      await screen.findByText(
        'Allows inbound traffic of any kind from anywhere to every instance in VPC prod.',
      ),
    ).toBeTruthy()
    await press(user, 'Add rule')
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce())
  })
})

describe('targets', () => {
  it('are chosen, without those that are there already', async () => {
    const user = await show()
    await user.click(targets().getByRole('combobox', { name: /^VPC name/ }))
    await user.click(await screen.findByRole('option', { name: 'prod' }))
    await press(user, 'Add target')
    expect(rows('Targets')).toEqual([['vpc', 'prod']])
    await user.click(targets().getByRole('combobox', { name: /^VPC name/ }))
    await waitFor(() =>
      expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['other']),
    )
    await user.keyboard('{Escape}')
    expect(onDismiss).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Remove item 1' }))
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('take any name with two presses of Enter, without sending the form', async () => {
    const user = await show({ name: 'a' })
    await choose(user, targets().getByRole('button', { name: 'Target type' }), 'Instance')
    await user.type(targets().getByRole('combobox', { name: /^Instance name/ }), 'a{Enter}')
    expect(screen.queryByRole('table')).toBeNull()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(rows('Targets')).toEqual([['instance', 'a']]))
    expect(onSubmit).not.toHaveBeenCalled()
    // Back to the beginning: the name of a VPC is asked for again, and the keyboard is where the entry starts.
    const next = targets().getByRole('combobox', { name: /^VPC name/ })
    expect(next).toHaveProperty('value', '')
    const type = targets().getByRole('button', { name: 'Target type' })
    await waitFor(() => expect(document.activeElement).toBe(type))
    await user.type(next, 'b{Enter}{Enter}')
    await waitFor(() => expect(rows('Targets')).toHaveLength(2))
    expect(document.activeElement).toBe(next)
  })

  it('are checked when added, and on every change after that until the kind changes', async () => {
    const user = await show()
    const type = () => targets().getByRole('button', { name: 'Target type' })
    await choose(user, type(), 'VPC subnet')
    const name = targets().getByRole('combobox', { name: /^Subnet name/ })
    await user.type(name, 'ab-')
    const message = 'Must end with a letter or number'
    expect(screen.queryByText(message)).toBeNull()
    await user.keyboard('{Escape}')
    await press(user, 'Add target')
    expect(await screen.findByText(message)).toBeTruthy()
    await choose(user, type(), 'IP')
    expect(screen.queryByText(message)).toBeNull()
    const address = targets().getByRole('textbox', { name: /^IP address/ })
    await user.type(address, '1.2.3')
    expect(screen.queryByText('Not a valid IP address')).toBeNull()
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Not a valid IP address')).toBeTruthy()
    await user.type(address, '.4')
    expect(screen.queryByText('Not a valid IP address')).toBeNull()
    await user.click(targets().getByRole('button', { name: 'Clear' }))
    expect(targets().getByRole('textbox', { name: /^IP address/ })).toHaveProperty('value', '')
  })

  it('are networks, too, and the same one only once', async () => {
    const user = await show()
    const add = async (network: string) => {
      await choose(user, targets().getByRole('button', { name: 'Target type' }), 'IP subnet')
      await user.type(targets().getByRole('textbox', { name: /^IP network/ }), network)
      await user.keyboard('{Enter}')
    }
    await add('10.0.0.0/33')
    expect(await screen.findByText('Max width for IPv4 is 32')).toBeTruthy()
    await user.keyboard('{Backspace}{Backspace}8{Enter}')
    await waitFor(() => expect(rows('Targets')).toEqual([['ip_net', '10.0.0.0/8']]))
    await add('10.0.0.0/8')
    await waitFor(() => expect(targets().getByRole('combobox', { name: /^VPC name/ })).toBeTruthy())
    expect(rows('Targets')).toEqual([['ip_net', '10.0.0.0/8']])
  })

  it('say beforehand that no other VPC can be one', async () => {
    await show({ targets: [{ type: 'vpc', value: 'old' }] })
    expect(
      screen.getByText(
        'Rules can refer only to their own VPC, prod. The server rejects the rule because of old.',
      ),
    ).toBeTruthy()
  })
})

describe('host filters', () => {
  it('go their own way', async () => {
    const user = await show({ name: 'a' })
    await choose(user, hosts().getByRole('button', { name: 'Host type' }), 'IP')
    await user.type(hosts().getByRole('textbox', { name: /^IP address/ }), 'fd00::1')
    await press(user, 'Add host filter')
    await waitFor(() => expect(rows('Host filters')).toEqual([['ip', 'fd00::1']]))
    expect((await submit(user))?.filters.hosts).toEqual([{ type: 'ip', value: 'fd00::1' }])
  })
})

describe('port filters', () => {
  it('are added by Enter and checked', async () => {
    const user = await show({ name: 'a' })
    const button = () => screen.getByRole('button', { name: 'Add port filter' })
    expect(button()).toHaveProperty('disabled', true)
    await user.type(portInput(), '{Enter}')
    expect(await screen.findByText('Port filters is required')).toBeTruthy()
    await user.type(portInput(), '65536')
    expect(screen.getByText('Not a valid port range')).toBeTruthy()
    await user.clear(portInput())
    await user.type(portInput(), ' 123-456 {Enter}')
    await waitFor(() => expect(rows('Port filters')).toEqual([['123-456']]))
    expect(portInput()).toHaveProperty('value', '')
    await user.type(portInput(), '123-456')
    expect(await screen.findByText('Port range already added')).toBeTruthy()
    await user.clear(portInput())
    await user.type(portInput(), '0')
    expect(await screen.findByText('Ports start at 1')).toBeTruthy()
    await user.clear(portInput())
    await user.type(portInput(), '22')
    await user.click(button())
    await waitFor(() => expect(rows('Port filters')).toEqual([['123-456'], ['22']]))
    await press(user, 'remove port 123-456')
    expect((await submit(user))?.filters.ports).toEqual(['22'])
  })
})

describe('protocol filters', () => {
  const protocol = () => protocols().getByRole('button', { name: 'Protocol filters' })
  const add = () => protocols().getByRole('button', { name: 'Add protocol filter' })

  it('are plain ones, each once', async () => {
    const user = await show({ name: 'a' })
    expect(add()).toHaveProperty('disabled', true)
    for (let time = 0; time < 2; time += 1) {
      await choose(user, protocol(), 'UDP')
      await user.click(add())
      await waitFor(() => expect(add()).toHaveProperty('disabled', true))
    }
    expect(rows('Protocol filters')).toEqual([['UDP', '—', '—']])
    expect(screen.getByRole('button', { name: 'Remove UDP' })).toBeTruthy()
    expect((await submit(user))?.filters.protocols).toEqual([{ type: 'udp' }])
  })

  it('are types and codes of ICMP', async () => {
    const user = await show({ name: 'a', protocols: [{ type: 'icmp', value: null }] })
    await press(user, 'Remove ICMP (All types)')
    await choose(user, protocol(), 'ICMP')
    expect(screen.queryByRole('textbox', { name: /^ICMP code/ })).toBeNull()
    await user.type(protocols().getByRole('combobox', { name: /^ICMP type/ }), '3abc{Enter}')
    await user.keyboard('{Enter}')
    expect(await screen.findByText('ICMP type must be a number between 0 and 255')).toBeTruthy()
    await user.clear(protocols().getByRole('combobox', { name: /^ICMP type/ }))
    await user.type(protocols().getByRole('combobox', { name: /^ICMP type/ }), '3{Enter}')
    const code = await screen.findByRole('textbox', { name: /^ICMP code/ })
    await user.type(code, '3–—0')
    expect(code).toHaveProperty('value', '3-0')
    await user.keyboard('{Enter}')
    expect(
      await screen.findByText('ICMP code range start must be less than or equal to range end'),
    ).toBeTruthy()
    await user.clear(code)
    await user.type(code, ' 0 {Enter}')
    await waitFor(() => expect(rows('Protocol filters')).toEqual([['ICMP', '3', '0']]))
    expect(
      screen.getByRole('button', { name: 'Remove ICMP 3 - Destination Unreachable | Code 0' }),
    ).toBeTruthy()
    expect((await submit(user))?.filters.protocols).toEqual([
      { type: 'icmp', value: { icmpType: 3, code: '0' } },
    ])
  })

  it('offer the types that have a name, and all of them', async () => {
    const user = await show()
    await choose(user, protocol(), 'ICMP')
    await user.click(protocols().getByRole('combobox', { name: /^ICMP type/ }))
    await user.click(await screen.findByRole('option', { name: '0 - Echo Reply' }))
    const type = protocols().getByRole('combobox', { name: /^ICMP type/ })
    expect(type).toHaveProperty('value', '0')
    await user.clear(type)
    await user.click(await screen.findByRole('option', { name: 'All types' }))
    expect(type).toHaveProperty('value', '')
    await user.click(add())
    await waitFor(() => expect(rows('Protocol filters')).toEqual([['ICMP', '—', '—']]))
  })
})

describe('a rule that is changed', () => {
  it('says which, and keeps what is not touched', async () => {
    const user = await show({ name: 'web', priority: 5, ports: ['80'], targets: [prod] }, 'web')
    expect(screen.getByRole('dialog', { name: 'Edit rule' }).textContent).toContain('web')
    expect(await submit(user, 'Update rule')).toMatchObject({
      name: 'web',
      priority: 5,
      targets: [{ type: 'vpc', value: 'prod' }],
      filters: { hosts: [], ports: ['80'], protocols: [] },
    })
  })
})
