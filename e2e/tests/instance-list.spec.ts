import type { Locator } from '@playwright/test'

import { Keyboard } from '../fixtures/keyboard'
import { confirmQuestion } from '../fixtures/page'
import { expectNoViolations, inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// The list of instances on every screen, from a phone to a wall.

const PHONE = { width: 390, height: 844 }
const LONG_NAME = 'orders-of-the-shop-and-of-everything-else-that-it-sells'

/** Elements that can be pressed, and how large the place is in which a finger finds each, in pixels. */
const targets = (card: Locator) =>
  card.evaluate((element) =>
    [...element.querySelectorAll<HTMLElement>('a, button, label')]
      .filter((target) => target.checkVisibility())
      .map((target) => {
        const { x, y, width, height } = target.getBoundingClientRect()
        const [middleX, middleY] = [x + width / 2, y + height / 2]
        const isHit = (dx: number, dy: number) => {
          const hit = document.elementFromPoint(middleX + dx, middleY + dy)
          return hit !== null && target.contains(hit)
        }
        const reach = (dx: number, dy: number) => {
          let pixels = 0
          while (pixels < 22 && isHit(dx * (pixels + 0.5), dy * (pixels + 0.5))) pixels += 1
          return pixels
        }
        return {
          name: target.getAttribute('aria-label') ?? target.textContent,
          // A link may be narrower than its card is wide, and the place around it belongs to it.
          height: reach(0, -1) + reach(0, 1),
          width: Math.max(width, reach(-1, 0) + reach(1, 0)),
        }
      }),
  )

/** Whether nothing of a text is cut off. */
const isWhole = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: HTMLElement) =>
  scrollWidth <= clientWidth && scrollHeight <= clientHeight

test('a list is cards on a phone, with whole names and room for a finger', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, LONG_NAME)
  await page.setViewportSize(PHONE)
  await visit(`/projects/${project}/instances`)
  const card = page.getByRole('row', { name: LONG_NAME })
  const name = card.getByRole('link', { name: LONG_NAME })
  await expect(card.getByRole('cell').filter({ hasText: 'stopped' })).toBeVisible()

  expect(await name.evaluate(isWhole)).toBe(true)
  // More than a line of it.
  expect((await name.boundingBox())?.height).toBeGreaterThan(30)
  const table = page.getByRole('table', { name: 'Instances' })
  expect(await table.evaluate(({ scrollWidth }) => scrollWidth)).toBeLessThanOrEqual(PHONE.width)

  const found = await targets(card)
  expect(found.map((target) => target.name)).toEqual(
    expect.arrayContaining(['', LONG_NAME, 'Row actions']),
  )
  for (const { name: target, width, height } of found) {
    expect.soft(width, `width of ${target}`).toBeGreaterThanOrEqual(44)
    expect.soft(height, `height of ${target}`).toBeGreaterThanOrEqual(44)
  }

  await test.step('one is selected, and another turn of the phone keeps that', async () => {
    await card.getByRole('checkbox', { name: `Select ${LONG_NAME}` }).click()
    await expect(page.getByText('1 selected')).toBeVisible()
    await page.setViewportSize({ width: PHONE.height, height: PHONE.width })
    await expect(card.getByRole('checkbox')).toBeChecked()
    await page.setViewportSize(PHONE)
    await expect(card.getByRole('checkbox')).toBeChecked()
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await expect(card.getByRole('checkbox')).not.toBeChecked()
  })
  await card.getByRole('button', { name: 'Row actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await page.keyboard.press('Escape')
  await inspectScreen(page, 'instance-cards')
})

const COLUMNS = 'name,state,externalIps,privateIps,cpuUse,image,network'

test('rows show addresses, network and CPU use, and start and stop', async ({
  page,
  targetKind,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'web', { networked: true })
  await resources.instance(project, 'db')
  const asked = new Set<string>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (/^\/v1\/.*(external-ips|network-interfaces|timeseries\/query)$/.test(pathname))
      asked.add(pathname + search)
  })
  await page.setViewportSize({ width: 2560, height: 900 })
  await visit(`/projects/${project}/instances?columns=${COLUMNS}`)
  const web = page.getByRole('row', { name: 'web' })
  await expect(web.getByRole('button', { name: /^Copy \d/ })).toHaveCount(2)
  await expect(web.getByRole('link', { name: 'default' })).toBeVisible()
  // One of either kind for each row, and one for the CPU use of all. The preview asks nobody on the network.
  await expect.poll(() => asked.size).toBe(targetKind === 'native' ? 5 : 0)

  const keys = new Keyboard(page)
  await keys.use(web.getByRole('button', { name: 'Start web' }))
  await confirmQuestion(page, 'Confirm start instance')
  const stop = web.getByRole('button', { name: 'Stop web' })
  await expect(stop).toBeVisible()
  await expect(web.getByRole('link', { name: 'Serial console of web' })).toBeVisible()
  await inspectScreen(page, 'instance-columns')
  await keys.use(web.getByRole('link', { name: 'Serial console of web' }))
  await expect(page).toHaveURL(/web\/serial-console(\?|$)/)
})

test('a wide screen shows the addresses without being asked', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  const path = `/projects/${project}/instances`
  const headers = page.getByRole('columnheader')
  await visit(path)
  await expect(headers.filter({ hasText: 'external IPs' })).toHaveCount(0)
  await page.setViewportSize({ width: 1920, height: 900 })
  await expect(headers.filter({ hasText: 'external IPs' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(headers.filter({ hasText: 'external IPs' })).toHaveCount(0)
  expect(new URL(page.url()).search).toBe('')
})

test('a wide screen shows the details of an instance beside the list, by keyboard', async ({
  page,
  targetKind,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db', { networked: true })
  await resources.instance(project, 'web')
  await page.setViewportSize({ width: 1920, height: 900 })
  await visit(`/projects/${project}/instances`)
  const keys = new Keyboard(page)
  const row = (name: string) => page.getByRole('row', { name })
  const panel = (name: string) => page.getByRole('region', { name: `Details of ${name}` })

  await keys.reach(row('db').getByRole('checkbox'))
  await page.keyboard.press('ArrowLeft')
  await expect(row('db')).toBeFocused()
  await page.keyboard.press('i')
  const term = (name: string, text: string) =>
    panel(name).getByRole('term').filter({ hasText: text })
  await expect(term('db', 'hostname')).toBeVisible()
  await expect(panel('db').getByRole('button', { name: /^Copy \d/ })).toHaveCount(2)
  await expect(row('db')).toBeFocused()
  await expect(page).toHaveURL(/\?details=db$/)

  await page.keyboard.press('ArrowDown')
  await expect(panel('web')).toBeVisible()
  await expect(panel('db')).toBeHidden()
  await expect(row('web')).toBeFocused()
  await expect(page).toHaveURL(/\?details=web$/)
  await expectNoViolations(page)
  if (targetKind !== 'preview') {
    await page.reload()
    await expect(term('web', 'hostname')).toBeVisible()
  }

  await keys.reach(row('web').getByRole('button', { name: 'Details of web' }))
  // On the way there the panel may have followed to another row.
  await expect(panel('web')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(panel('web')).toBeFocused()
  await keys.use(panel('web').getByRole('button', { name: 'Start' }))
  await confirmQuestion(page, 'Confirm start instance')
  await expect(panel('web').getByText('running', { exact: true })).toBeVisible()
  await keys.reach(panel('web').getByRole('button', { name: 'Close' }))
  await page.keyboard.press('Escape')
  await expect(panel('web')).toBeHidden()
  await expect(row('web')).toBeFocused()
  expect(new URL(page.url()).search).toBe('')
})

test('a narrower window does not offer the details beside the list', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  await page.setViewportSize({ width: 1920, height: 900 })
  await visit(`/projects/${project}/instances?details=db`)
  const panel = page.getByRole('region', { name: 'Details of db' })
  await expect(panel).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(panel).toBeHidden()
  await expect(page.getByRole('button', { name: 'Details of db' })).toBeHidden()
})

test('a question is gone with the screen that asked it', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'web')
  await visit(`/projects/${project}/disks`)
  await page.getByRole('link', { name: 'Instances', exact: true }).first().click()
  const keys = new Keyboard(page)
  await keys.use(page.getByRole('row', { name: 'web' }).getByRole('button', { name: 'Start web' }))
  const question = page.getByRole('alertdialog', { name: 'Confirm start instance' })
  await expect(question).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Disks' })).toBeVisible()
  await expect(question).toBeHidden()
})
