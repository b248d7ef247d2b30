import type { Route } from '@playwright/test'

import { cutTexts } from '../fixtures/layout'
import { expectNoSidewaysScroll } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// Texts that are meant to break screens, and servers that answer with something else than asked for.

const texts = {
  markup: '<img src=x onerror=alert(1)><script>alert(2)</script>',
  'right-to-left': 'שרת הנתונים של החנות \u202E txet',
  'one long word': 'W'.repeat(400),
  'combined letters': `${'\u0061\u0301\u0302\u0303\u0304'.repeat(60)} 👩‍👩‍👧‍👦`,
}

test(
  'texts of any kind are shown as they are and keep the layout',
  only('native', 'the screens are those of the same console'),
  async ({ page, visit, requests, resources, uniqueName }) => {
    page.on('dialog', (dialog) => {
      throw new Error(`a text was run: ${dialog.message()}`)
    })
    const project = uniqueName('p').padEnd(63, 'x')
    await resources.project(project, texts.markup)
    await resources.disk(project, 'd'.padEnd(63, '0'))
    for (const [index, text] of Object.values(texts).entries()) {
      const vpc = { name: `vpc-${index}`, description: text, dns_name: `vpc-${index}` }
      const answer = await requests.post(`/v1/vpcs?project=${project}`, { data: vpc })
      expect(answer.status(), await answer.text()).toBe(201)
    }
    for (const path of ['vpcs', 'disks', 'overview', 'vpcs/vpc-0', 'vpcs/vpc-2']) {
      await test.step(path, async () => {
        await visit(`/projects/${project}/${path}`)
        for (const width of [390, 820, 1440]) {
          await page.setViewportSize({ width, height: 900 })
          await expect.poll(() => cutTexts(page), { message: `cut at ${width}` }).toEqual([])
          await expectNoSidewaysScroll(page)
        }
      })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await visit(`/projects/${project}/vpcs`)
    for (const text of [texts.markup, texts['right-to-left']]) {
      // What is shortened has the whole text as its name.
      const shown = page.getByText(text).or(page.getByRole('img', { name: text, exact: true }))
      await expect(shown).toBeVisible()
    }
  },
)

const answers: Record<string, (route: Route) => Promise<void>> = {
  'an error page of a proxy': (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  'half an answer': (route) =>
    route.fulfill({ contentType: 'application/json', body: '{"items":[{"id":"7f3a' }),
  'a page of something else': (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Sign in to the network</h1>' }),
  'no answer': (route) => route.abort(),
}

test.describe('answers of another kind', () => {
  test.use({ serverGoesAway: true, answersAreBroken: true })

  for (const [kind, answer] of Object.entries(answers)) {
    test(
      `${kind} says what to do, and the list comes back`,
      only('native', 'requests do not leave the page'),
      async ({ page, visit, resources, uniqueName }) => {
        const project = uniqueName('project')
        await resources.project(project)
        await resources.disk(project, 'kept')
        await visit(`/projects/${project}/instances`)
        await page.route(/\/disks\?/, answer)
        await page.getByRole('link', { name: 'Disks', exact: true }).click()
        const retry = page.getByRole('button', { name: 'Try again' })
        await expect(retry).toBeVisible()
        // The way to other screens stays.
        await expect(page.getByRole('link', { name: 'Instances', exact: true })).toBeVisible()
        await page.unrouteAll()
        await retry.click()
        await expect(page.getByRole('cell', { name: 'kept', exact: true })).toBeVisible()
      },
    )
  }

  test(
    'a form keeps what was entered when a proxy answers',
    only('native', 'requests do not leave the page'),
    async ({ page, visit, resources, uniqueName }) => {
      const project = uniqueName('project')
      await resources.project(project)
      await visit(`/projects/${project}/vpcs-new`)
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('prod')
      await page.getByRole('textbox', { name: 'DNS name' }).fill('prod')
      await page.route(/\/v1\/vpcs\?/, (route) =>
        route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
      )
      const submit = page.getByRole('button', { name: 'Create VPC' })
      await submit.click()
      await expect(page.getByRole('alert')).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('prod')
      await page.unrouteAll()
      await submit.click()
      await expect(page).toHaveURL(/\/vpcs\/prod/)
    },
  )
})
