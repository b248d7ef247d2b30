import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// Who is told when something needs an operator.

/** A web address that alerts are sent to, which answers as the test says. */
async function startReceiver() {
  const requests: string[] = []
  const answers = { status: 204 }
  const listener = createServer((request, response) => {
    requests.push(String(request.headers['content-type']))
    request.resume()
    response.writeHead(answers.status).end()
  })
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve)
  })
  const { port } = listener.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    answers,
    stop: () => new Promise((resolve) => listener.close(resolve)),
  }
}

const bySocket = only('native', 'deliveries go to a receiver over a socket')

test(
  'a receiver is made, probed, changed and deleted',
  bySocket,
  async ({ page, visit, server, uniqueName }) => {
    const receiver = await startReceiver()
    const [name, renamed] = [uniqueName('pager'), uniqueName('pager')]
    await visit('/system/silos')
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await expect(page).toHaveTitle('Alerts / Croft Console')
    await expect(page.getByText('No alert receivers')).toBeVisible()
    await inspectScreen(page, 'alerts-empty')

    await page.keyboard.press('n')
    const create = page.getByRole('dialog', { name: 'Create alert receiver' })
    await create.getByRole('textbox', { name: 'Name' }).fill(name)
    await create.getByRole('textbox', { name: 'Endpoint' }).fill('example.com')
    const secret = await create.getByRole('textbox', { name: 'Secret' }).inputValue()
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    await create.getByRole('textbox', { name: 'Class or pattern' }).fill('foo*')
    await create.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(create.getByText(/Must be segments/)).toBeVisible()
    await create.getByRole('textbox', { name: 'Class or pattern' }).fill('**')
    await inspectScreen(page, 'alerts-new')
    await create.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(create.getByRole('table', { name: 'Subscriptions' })).toContainText('**')
    await create.getByRole('button', { name: 'Create alert receiver' }).click()
    await expect(create.getByText('Must be an address with http:// or https://')).toBeVisible()
    await create.getByRole('textbox', { name: 'Endpoint' }).fill(receiver.url)
    await create.getByRole('button', { name: 'Create alert receiver' }).click()
    const issued = page.getByRole('dialog', { name: 'New secret' })
    await expect(issued).toContainText(secret)
    await inspectScreen(page, 'alert-secret')
    await issued.getByRole('button', { name: 'Done' }).click()
    await expect(page).toHaveURL(`${server.url}/system/alerts/${name}`)
    await expect(page.getByText('No deliveries')).toBeVisible()
    await inspectScreen(page, 'alert-receiver')

    await page.getByRole('button', { name: 'Send probe' }).click()
    await page.getByRole('dialog', { name: 'Send probe' }).getByText('Send probe').last().click()
    const result = page.getByRole('dialog', { name: 'Probe result' })
    await expect(result).toContainText('delivered')
    await expect(result).toContainText(/Succeeded, 204 in \d+ ms/)
    await inspectScreen(page, 'alert-probe')
    await result.getByRole('button', { name: 'Done' }).click()
    expect(receiver.requests).toEqual(['application/json'])

    receiver.answers.status = 500
    await page.getByRole('button', { name: 'Send probe' }).click()
    await page.getByRole('dialog', { name: 'Send probe' }).getByText('Send probe').last().click()
    await expect(result).toContainText(/Refused, 500 in \d+ ms/)
    await result.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Alert receiver actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
    const edit = page.getByRole('dialog', { name: 'Edit alert receiver' })
    await edit.getByRole('textbox', { name: 'Name' }).fill(renamed)
    await edit.getByRole('button', { name: 'Update alert receiver' }).click()
    await expect(page.getByText(`Alert receiver ${renamed} updated`)).toBeVisible()
    await expect(page).toHaveURL(`${server.url}/system/alerts/${renamed}`)

    await page.getByRole('button', { name: 'Alert receiver actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText(`Alert receiver ${renamed} deleted`)).toBeVisible()
    await expect(page).toHaveURL(`${server.url}/system/alerts`)
    await receiver.stop()
  },
)

test('subscriptions and secrets come and go', async ({ page, visit, resources, uniqueName }) => {
  const name = uniqueName('pager')
  await resources.alertReceiver(name)
  await visit(`/system/alerts/${name}`)
  await expect(page.getByText('Nothing is sent to this receiver')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send probe' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.getByRole('tab', { name: 'Secrets' }).click()
  await expect(page.getByRole('heading', { name: 'No secrets' })).toBeVisible()
  await inspectScreen(page, 'alert-no-secrets')
  await page.keyboard.press('n')
  const add = page.getByRole('dialog', { name: 'Add secret' })
  await add.getByRole('button', { name: 'Add secret' }).click()
  await page
    .getByRole('dialog', { name: 'New secret' })
    .getByRole('button', { name: 'Done' })
    .click()
  const secrets = page.getByRole('table', { name: 'Secrets' })
  await expect(secrets.getByRole('row')).toHaveCount(2)
  await inspectScreen(page, 'alert-secrets')
  await secrets.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('This is the only secret.')).toBeVisible()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { name: 'No secrets' })).toBeVisible()

  await page.getByRole('tab', { name: 'Subscriptions' }).click()
  const subscriptions = page.getByRole('table', { name: 'Subscriptions' })
  await expect(subscriptions.getByRole('row', { name: /instance\.failed/ })).toContainText('class')
  await page.getByRole('button', { name: 'Add subscription' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add subscription' })
  await dialog.getByRole('textbox', { name: 'Class or pattern' }).fill('disk.*')
  await expect(dialog.getByText('(matches)')).toHaveCount(1)
  await inspectScreen(page, 'alert-subscription-add')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Subscription disk.* added')).toBeVisible()
  const row = subscriptions.getByRole('row', { name: /disk\.\*/ })
  await expect(row).toContainText('disk.faulted')
  await inspectScreen(page, 'alert-subscriptions')
  await row.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(row).toHaveCount(0)
})
