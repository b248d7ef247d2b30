import type { Locator, Page, WebSocketRoute } from '@playwright/test'

import { confirmQuestion } from '../fixtures/page'
import { expectNoViolations, inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

const screenOf = (page: Page) => page.getByRole('application', { name: 'Screen of db' })
const isConnected = (page: Page) =>
  expect(page.getByText('connected', { exact: true })).toBeVisible()

/** The number of light pixels of a canvas. */
const lightPixels = (canvas: Locator) =>
  canvas.evaluate((element: HTMLCanvasElement) => {
    const { width, height } = element
    if (width === 0) return 0
    const pixels = element.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    let count = 0
    for (let index = 0; index < pixels.length; index += 4)
      if ((pixels[index] ?? 0) > 128) count += 1
    return count
  })

/** Waits until a canvas shows more than one color. */
const isDrawn = (canvas: Locator) =>
  expect
    .poll(() => lightPixels(canvas), { message: 'something on the screen' })
    .toBeGreaterThan(1000)

test('the screen of an instance is seen and typed on', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  const base = `/projects/${project}/instances/db`
  await visit(`${base}/graphical-console`)
  await expect(page.getByText(/only connect to the graphical console/)).toBeVisible()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await confirmQuestion(page, 'Confirm start instance')
  await isConnected(page)
  const screen = screenOf(page)
  await isDrawn(screen)
  await inspectScreen(page, 'graphical-console')

  await test.step('keys are the guest’s, except those that leave the screen', async () => {
    await screen.focus()
    const before = await lightPixels(screen)
    await page.keyboard.type('ada')
    await page.keyboard.press('Enter')
    await expect.poll(() => lightPixels(screen)).not.toBe(before)
    await page.keyboard.press('Tab')
    await expect(screen).toBeFocused()
    await page.keyboard.press('Control+Shift+Period')
    await expect(page.getByRole('link', { name: 'Back to instance' })).toBeFocused()
  })

  await test.step('a text is typed, several lines after a question', async () => {
    await page.getByRole('button', { name: 'Type text' }).click()
    const dialog = page.getByRole('dialog', { name: 'Type text' })
    await dialog
      .getByRole('textbox', { name: 'Text' })
      .fill(`echo ${'x'.repeat(60)}\necho Two-lines`)
    await expectNoViolations(page)
    await dialog.getByRole('button', { name: 'Type', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Paste 2 lines?' })
    await question.getByRole('button', { name: 'Paste', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Type text' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await expect(page.getByRole('button', { name: 'Type text' })).not.toHaveAttribute(
      'aria-disabled',
      'true',
    )
  })

  await test.step('it is shown as large as it is, or as the window', async () => {
    const scale = page.getByRole('button', { name: 'Scale to the window' })
    await page.setViewportSize({ width: 600, height: 700 })
    await expect.poll(async () => (await screen.boundingBox())?.width).toBeLessThanOrEqual(600)
    await scale.click()
    await expect(scale).toHaveAttribute('aria-pressed', 'false')
    await expect.poll(async () => (await screen.boundingBox())?.width).toBe(960)
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  await test.step('view only sends nothing', async () => {
    await page.getByRole('button', { name: 'View only' }).click()
    await expect(page.getByText('View only: no keys')).toBeVisible()
    await screen.focus()
    await page.keyboard.type('unseen-text')
    await page.getByRole('button', { name: 'View only' }).click()
  })

  await visit(`${base}/serial-console`)
  const terminal = page.getByRole('application')
  await expect(terminal).toContainText('ada@db')
  await expect(terminal).toContainText('Two-lines')
  await expect(terminal).not.toContainText('unseen-text')

  await visit(`${base}/graphical-console`)
  await isConnected(page)
  await isDrawn(screen)
  const before = await lightPixels(screen)
  await page.getByRole('button', { name: 'Send keys' }).click()
  await page.getByRole('menuitem', { name: 'Ctrl+Alt+Del' }).click()
  await expect.poll(() => lightPixels(screen)).not.toBe(before)
  await visit(`${base}/serial-console`)
  await expect(terminal).toContainText('reboot: Restarting system')
})

test('the page of an instance and its row show a picture of the screen', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db', { start: true })
  await visit(`/projects/${project}/instances/db/connect`)
  const picture = page.getByRole('link', { name: 'Screen of db' })
  await isDrawn(picture.locator('canvas'))
  await inspectScreen(page, 'instance-screen-picture')
  await expect(page.getByRole('link', { name: 'Open the screen' })).toBeVisible()
  await picture.click()
  await isConnected(page)

  await visit(`/projects/${project}/instances`)
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Screen', exact: true }).click()
  await page.keyboard.press('Escape')
  await isDrawn(page.getByRole('img', { name: 'Screen of db' }))
})

test(
  'a screen whose connection drops comes back',
  only('native', 'the preview has no connection'),
  async ({ page, visit, resources, uniqueName }) => {
    const connections: WebSocketRoute[] = []
    await page.routeWebSocket(/graphical-console\/stream/, (route) => {
      route.connectToServer()
      connections.push(route)
    })
    const project = uniqueName('project')
    await resources.project(project)
    await resources.instance(project, 'db', { start: true })
    await visit(`/projects/${project}/instances/db/graphical-console`)
    await isConnected(page)
    await isDrawn(screenOf(page))

    await connections.at(-1)?.close()
    await expect(page.getByText('Reconnecting by itself.')).toBeVisible()
    await expect(screenOf(page), 'what was shown stays').toBeVisible()
    await isConnected(page)
    await isDrawn(screenOf(page))
    expect(connections).toHaveLength(2)
  },
)
