import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Locator, Page } from '@playwright/test'

import { fact, typeInto } from '../fixtures/page'
import type { Resources } from '../fixtures/resources'
import { startServer } from '../fixtures/server'
import { expect, test as base } from '../fixtures/test'

/** What `cargo xtask guest-image` builds. */
const guestImage =
  process.env.CROFT_GUEST_IMAGE ??
  fileURLToPath(new URL('../../target/guest-image/croft-guest.raw', import.meta.url))

/** A guest that is translated instruction by instruction comes up in seconds, on a busy host in many. */
const BOOT_MS = 120_000

const test = base.extend({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures needed from this pattern
    async ({}, use) => {
      if (!existsSync(guestImage)) {
        throw new Error('There is no guest image: run `cargo xtask guest-image`.')
      }
      const server = await startServer('qemu')
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

test('a real machine boots from an uploaded image, is talked to, copied while it runs, and outlives its server', async ({
  page,
  resources,
  server,
  visit,
}) => {
  test.slow()
  const terminal = page.getByRole('application')
  const openTerminal = async (instance: string) => {
    await visit(`/projects/real/instances/${instance}`)
    await page.getByRole('button', { name: 'Instance actions' }).click()
    await page.getByRole('menuitem', { name: 'View serial console' }).click()
    await expect(page.getByText('connected', { exact: true })).toBeVisible()
  }

  await test.step('a guest boots from the image and says what it was given', async () => {
    await resources.project('real')
    await resources.sshKey('laptop')
    const image = await upload(page, visit, resources)
    await resources.bootedInstance(
      'real',
      'first',
      { type: 'image', image_id: image },
      '#!/bin/sh\necho told at boot >greeting\n',
    )
    await openTerminal('first')
    await logIn(terminal, 'first')
    await typeInto(terminal, 'echo its name is $(hostname)')
    await expect(terminal).toContainText('its name is first')
    await typeInto(terminal, 'cut -d " " -f 3 .ssh/authorized_keys')
    await expect(terminal).toContainText('ada')
    await typeInto(terminal, 'cat greeting')
    await expect(terminal).toContainText('told at boot')
  })

  await test.step('a snapshot of the running machine restores to a second one', async () => {
    await typeInto(terminal, 'echo precious >file; sync; echo written $((6 * 7))')
    await expect(terminal).toContainText('written 42')
    const snapshot = await resources.usableSnapshot('real', 'live', 'first-boot')
    await resources.bootedInstance('real', 'second', { type: 'snapshot', snapshot_id: snapshot })
    await openTerminal('second')
    await logIn(terminal, 'second')
    await typeInto(terminal, 'cat file')
    await expect(terminal).toContainText('precious')
  })

  await test.step('the machine runs on while its server is killed and started again', async () => {
    await openTerminal('first')
    await typeInto(terminal, 'marker=$((41 + 1))')
    // A page that polls would complain that its server is away.
    await page.goto('about:blank')
    await server.crash()
    await openTerminal('first')
    await typeInto(terminal, 'echo still $marker')
    await expect(terminal).toContainText('still 42')
  })

  await test.step('stopping it shuts the guest down', async () => {
    await visit('/projects/real/instances/first')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
    await expect(fact(page, 'state')).toHaveText('stopped', { timeout: BOOT_MS })
  })
})

/** Makes an image as a person does; answers its id. */
async function upload(page: Page, visit: (path: string) => Promise<void>, resources: Resources) {
  await visit('/projects/real/images-new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('guest')
  await page.getByRole('textbox', { name: /^OS/ }).fill('Croft')
  await page.getByRole('textbox', { name: /^Version/ }).fill('1')
  await page.locator('input[type=file]').setInputFiles(guestImage)
  await page.getByRole('button', { name: 'Upload image' }).click()
  const done = page.getByTestId('upload-step: Image uploaded successfully')
  await expect(done).toHaveAttribute('data-status', 'complete', { timeout: BOOT_MS })
  return resources.imageId('real', 'guest')
}

/** Logs in on a guest that comes up. */
async function logIn(terminal: Locator, hostname: string) {
  await expect(terminal).toContainText(`${hostname} login:`, { timeout: BOOT_MS })
  await typeInto(terminal, 'root')
  await expect(terminal).toContainText(`root@${hostname}:/root#`)
}
