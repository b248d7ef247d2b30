import {
  BOOT_MS,
  logIn,
  openTerminal,
  requireGuestImage,
  uploadGuestImage,
} from '../fixtures/guest'
import { confirmQuestion, fact, typeInto } from '../fixtures/page'
import { startServer } from '../fixtures/server'
import { expect, test as base } from '../fixtures/test'

const test = base.extend({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures needed from this pattern
    async ({}, use) => {
      requireGuestImage()
      const server = await startServer({ hypervisor: 'qemu' })
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
  const open = async (instance: string) => {
    await visit(`/projects/real/instances/${instance}`)
    await openTerminal(page)
  }

  await test.step('a guest boots from the image and says what it was given', async () => {
    await resources.project('real')
    await resources.sshKey('laptop')
    const image = await uploadGuestImage(page, visit, resources, 'real')
    await resources.bootedInstance(
      'real',
      'first',
      { type: 'image', image_id: image },
      { userData: '#!/bin/sh\necho told at boot >greeting\n' },
    )
    await open('first')
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
    await open('second')
    await logIn(terminal, 'second')
    await typeInto(terminal, 'cat file')
    await expect(terminal).toContainText('precious')
  })

  await test.step('the machine runs on while its server is killed and started again', async () => {
    await open('first')
    await typeInto(terminal, 'marker=$((41 + 1))')
    // A page that polls would complain that its server is away.
    await page.goto('about:blank')
    await server.crash()
    await open('first')
    await typeInto(terminal, 'echo still $marker')
    await expect(terminal).toContainText('still 42')
  })

  await test.step('stopping it shuts the guest down', async () => {
    await visit('/projects/real/instances/first')
    await page.getByRole('button', { name: 'Stop' }).click()
    await confirmQuestion(page, 'Confirm stop instance')
    await expect(fact(page, 'state')).toHaveText('stopped', { timeout: BOOT_MS })
  })
})
