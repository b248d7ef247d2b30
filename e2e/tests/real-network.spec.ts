import type { Locator, Page } from '@playwright/test'

import { logIn, openTerminal, requireGuestImage, uploadGuestImage } from '../fixtures/guest'
import type { Namespace } from '../fixtures/namespace'
import { preparedNamespace } from '../fixtures/namespace'
import { typeInto } from '../fixtures/page'
import { startServer } from '../fixtures/server'
import { expect, test as base } from '../fixtures/test'

// What people say of a VPC in the console is what becomes of the packets of real machines, and what the console tells of them.

const VPC = '/projects/real/vpcs/default'
const FIRST = '172.30.0.10'
const SECOND = '172.30.0.11'
/** In the subnet of another VPC, which has the same addresses. */
const STRANGER = '172.30.0.12'

/** Changes of a VPC reach its machines in less than a second; on a busy host later. */
const CHANGE_MS = 60_000

const test = base.extend<object, { namespace: Namespace }>({
  namespace: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures needed from this pattern
    async ({}, use) => use(preparedNamespace()),
    { scope: 'worker' },
  ],

  server: [
    async ({ namespace }, use) => {
      requireGuestImage()
      const server = await startServer({ hypervisor: 'qemu', namespace })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

test('real machines reach each other as their VPC says, and as the console says', async ({
  context,
  namespace,
  page,
  resources,
  server,
  visit,
}) => {
  test.slow()
  const onTerminal = async (instance: string) => {
    const tab = await context.newPage()
    await tab.goto(`${server.url}/projects/real/instances/${instance}`)
    const terminal = await openTerminal(tab)
    await logIn(terminal, instance)
    return terminal
  }
  const floating =
    await test.step('three machines come up, one of them in another VPC', async () => {
      await resources.project('real')
      await resources.vpc('real', 'other')
      const address = await resources.floatingIp('real', 'front')
      const image = await uploadGuestImage(page, visit, resources, 'real')
      const boot = (name: string, vpc: string, ip: string, floatingIp?: string) =>
        resources.bootedInstance(
          'real',
          name,
          { type: 'image', image_id: image },
          { place: { vpc, ip, floatingIp } },
        )
      await boot('first', 'default', FIRST)
      await boot('second', 'default', SECOND, 'front')
      await boot('stranger', 'other', STRANGER)
      return address
    })
  const first = await onTerminal('first')
  const second = await onTerminal('second')
  const stranger = await onTerminal('stranger')
  const fromHost = () => namespace.succeeds('ping', '-c', '1', '-W', '1', floating)

  await test.step('machines of a VPC reach each other, and the world reaches a floating IP', async () => {
    await untilReached(first, SECOND, 1)
    await untilReached(second, FIRST, 1)
    await expect.poll(fromHost, { timeout: CHANGE_MS }).toBe(true)
    await checkReachability(page, visit, 'Allowed')
  })

  await test.step('a VPC with the same addresses is another network', async () => {
    await untilReached(stranger, '172.30.0.1', 1)
    await expectUnreached(stranger, FIRST, 2)
    await expectUnreached(first, STRANGER, 2)
  })

  await test.step('a rule that denies pings stops them', async () => {
    await denyPings(page, visit, 'second')
    await untilUnreached(first, SECOND, 3)
    await expect.poll(fromHost, { timeout: CHANGE_MS }).toBe(false)
    // What begins with the machine itself is not what the rule is about.
    await untilReached(second, FIRST, 3)
    await checkReachability(page, visit, 'Denied')
    await expect(page.getByRole('link', { name: 'Rule no-pings' })).toBeVisible()
  })

  await test.step('without the rule they go through again', async () => {
    await deleteRule(page, visit, 'no-pings')
    await untilReached(first, SECOND, 4)
    await expect.poll(fromHost, { timeout: CHANGE_MS }).toBe(true)
    await checkReachability(page, visit, 'Allowed')
  })
})

const PING = 'ping -c 1 -W 1'

/** Has a guest try until an address answers. The number tells its outcome from those of other attempts. */
async function untilReached(guest: Locator, address: string, attempt: number) {
  await tell(guest, `until ${PING} ${address}`, 'reached', attempt)
}

/** Has a guest try until an address no longer answers. */
async function untilUnreached(guest: Locator, address: string, attempt: number) {
  await tell(guest, `while ${PING} ${address}`, 'unreached', attempt)
}

async function tell(guest: Locator, loop: string, outcome: string, attempt: number) {
  // What is typed is on the terminal as well, so it may not read as the outcome does.
  await typeInto(guest, `${loop} >/dev/null; do :; done; echo ${outcome} $((${attempt}))`)
  await expect(guest).toContainText(`${outcome} ${attempt}`, { timeout: CHANGE_MS })
}

/** Has a guest try once. */
async function expectUnreached(guest: Locator, address: string, attempt: number) {
  await typeInto(guest, `${PING} ${address} >/dev/null; echo ended $((${attempt})) with $?`)
  await expect(guest).toContainText(`ended ${attempt} with 1`)
}

async function denyPings(page: Page, visit: (path: string) => Promise<void>, instance: string) {
  await visit(`${VPC}/firewall-rules-new`)
  const form = page.getByRole('dialog', { name: 'Add firewall rule' })
  await form.getByRole('textbox', { name: /^Name/ }).fill('no-pings')
  await form.getByRole('textbox', { name: /^Priority/ }).fill('10')
  await form.getByText('Deny').click()
  const target = page.getByRole('group', { name: 'Add target' })
  await target.getByRole('button', { name: 'Target type' }).click()
  await page.getByRole('option', { name: 'Instance' }).click()
  await target.getByRole('combobox', { name: /^Instance name/ }).focus()
  await page.getByRole('option', { name: instance }).click()
  await target.getByRole('button', { name: 'Add target' }).click()
  const protocol = page.getByRole('group', { name: 'Add protocol filter' })
  await protocol.getByRole('button', { name: 'Protocol filters' }).click()
  await page.getByRole('option', { name: 'ICMP' }).click()
  await protocol.getByRole('button', { name: 'Add protocol filter' }).click()
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Firewall rule no-pings created')
}

async function deleteRule(page: Page, visit: (path: string) => Promise<void>, name: string) {
  await visit(`${VPC}/firewall-rules`)
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  await row.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(row).toHaveCount(0)
}

/** Asks the console whether the first machine's ping gets to the second. */
async function checkReachability(
  page: Page,
  visit: (path: string) => Promise<void>,
  verdict: 'Allowed' | 'Denied',
) {
  await visit(`${VPC}/reachability`)
  for (const [end, instance] of [
    ['Source', 'first'],
    ['Destination', 'second'],
  ] as const) {
    await page.getByRole('combobox', { name: `${end} instance` }).fill(instance)
    await page.getByRole('option', { name: instance }).click()
  }
  await page.getByRole('button', { name: 'Protocol' }).click()
  await page.getByRole('option', { name: 'ICMP', exact: true }).click()
  await page.getByRole('button', { name: 'Check reachability' }).click()
  await expect(page.getByText(`${FIRST} → ${SECOND}`)).toBeVisible()
  // The steps have the same words; the verdict comes first.
  await expect(page.getByText(verdict, { exact: true }).first()).toBeVisible()
}
