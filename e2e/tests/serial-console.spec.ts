import { readFile } from 'node:fs/promises'

import type { Page, WebSocketRoute } from '@playwright/test'

import { confirmQuestion, typeInto } from '../fixtures/page'
import { expectNoViolations, inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

const terminalOf = (page: Page) => page.getByRole('application')
const isConnected = (page: Page) =>
  expect(page.getByText('connected', { exact: true })).toBeVisible()

/** Pastes a text into the terminal as the browser does, which lets no page read the clipboard by itself. */
async function paste(page: Page, text: string) {
  await terminalOf(page)
    .getByRole('textbox')
    .evaluate((field, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      field.dispatchEvent(event)
    }, text)
}

test('the log of a serial console is searched, saved and pasted into', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  await visit(`/projects/${project}/instances/db/serial-console`)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await confirmQuestion(page, 'Confirm start instance')
  await isConnected(page)
  const terminal = terminalOf(page)
  await expect(terminal).toContainText('db login:')
  await typeInto(terminal, 'ada')
  await expect(terminal).toContainText('ada@db')

  await test.step('finds a text by keyboard, and returns to the terminal', async () => {
    await terminal.getByRole('textbox').focus()
    await page.keyboard.press('ControlOrMeta+f')
    const field = page.getByRole('textbox', { name: 'Search the log' })
    await expect(field).toBeFocused()
    await page.keyboard.type('REACHED TARGET')
    const count = page.getByText(/^\d+ of \d+$/)
    await expect(count).toBeVisible()
    const first = await count.textContent()
    await page.keyboard.press('Enter')
    await expect(count).not.toHaveText(first ?? '')
    await page.keyboard.press('Shift+Enter')
    await expect(count).toHaveText(first ?? '')
    await page.keyboard.type('-nowhere')
    await expect(page.getByText('No matches')).toBeVisible()
    await inspectScreen(page, 'serial-console-search')
    await page.keyboard.press('Escape')
    await expect(field).toBeHidden()
    await expect(terminal.getByRole('textbox')).toBeFocused()
  })

  await test.step('asks before it pastes several lines', async () => {
    await paste(page, 'first-line\nsecond-line\n')
    const question = page.getByRole('alertdialog', { name: 'Paste 2 lines?' })
    await expect(question).toContainText('second-line')
    await expectNoViolations(page)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(question).toBeHidden()
    await expect(terminal).not.toContainText('first-line')
    await paste(page, 'first-line\nsecond-line\n')
    await question.getByRole('button', { name: 'Paste', exact: true }).click()
    await expect(terminal).toContainText('second-line')
    await paste(page, 'only-line')
    await expect(terminal).toContainText('only-line')
  })

  await test.step('saves the whole log', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the log' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('db-serial-console.txt')
    const log = await readFile(await download.path(), 'utf8')
    expect(log).toContain('Reached target Multi-User System.\n')
    expect(log).not.toContain('\u001b')
  })

  const wrap = page.getByRole('button', { name: 'Wrap lines' })
  await expect(wrap).toHaveAttribute('aria-pressed', 'true')
  await wrap.click()
  await expect(wrap).toHaveAttribute('aria-pressed', 'false')
})

test(
  'a connection that drops comes back with what was missed',
  only('native', 'the preview has no connection'),
  async ({ page, visit, resources, uniqueName }) => {
    const connections: WebSocketRoute[] = []
    await page.routeWebSocket(/serial-console\/stream/, (route) => {
      route.connectToServer()
      connections.push(route)
    })
    const project = uniqueName('project')
    await resources.project(project)
    await resources.instance(project, 'db', { start: true })
    await visit(`/projects/${project}/instances/db/serial-console`)
    await isConnected(page)
    const terminal = terminalOf(page)
    await expect(terminal).toContainText('db login:')
    await typeInto(terminal, 'ada')
    await expect(terminal).toContainText('ada@db')
    // The lines for screen readers: unlike the whole text, they hold each line of the screen once.
    const greetings = terminal.getByRole('listitem').filter({ hasText: 'db login:' })
    await expect(greetings).toHaveCount(1)

    await connections.at(-1)?.close()
    await expect(page.getByText('Reconnecting by itself.')).toBeVisible()
    await isConnected(page)
    await typeInto(terminal, 'still-there')
    await expect(terminal).toContainText('still-there')
    await expect(greetings, 'what was shown is not shown again').toHaveCount(1)
    expect(connections).toHaveLength(2)
  },
)
