import { execFileSync } from 'node:child_process'

import type { APIRequestContext } from '@playwright/test'

import { only } from '../fixtures/homes'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// What a form shows as code does what the form would have done.

/** A token of the person who is signed in, as a program gets one. */
async function accessToken(signedIn: APIRequestContext, url: string): Promise<string> {
  const client = { client_id: '2b0f7c1e-6f0b-4c8e-9d53-0a4f6c9f3f55' }
  const asked = await (await signedIn.post(`${url}/device/auth`, { form: client })).json()
  const data = { user_code: asked.user_code }
  const confirmed = await signedIn.post(`${url}/device/confirm`, { data })
  expect(confirmed.ok(), await confirmed.text()).toBe(true)
  const form = {
    ...client,
    device_code: asked.device_code,
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
  }
  return (await (await signedIn.post(`${url}/device/token`, { form })).json()).access_token
}

test(
  'the call that a form shows makes what the form would have made',
  only('native', 'curl talks to a server'),
  async ({ page, visit, server, signedIn, resources, uniqueName }) => {
    const project = uniqueName('project')
    await resources.project(project)
    const disk = async (name: string) => {
      const answer = await signedIn.get(`${server.url}/v1/disks/${name}?project=${project}`)
      expect(answer.status(), await answer.text()).toBe(200)
      const {
        id,
        name: _,
        device_path: __,
        time_created,
        time_modified,
        ...rest
      } = await answer.json()
      expect([id, time_created, time_modified].every((value) => typeof value === 'string')).toBe(
        true,
      )
      return rest
    }
    const description = `it's "quoted" $HOME \`id\` \${x}`

    await visit(`/projects/${project}/disks-new`)
    const form = page.getByRole('dialog', { name: 'Create disk' })
    const name = form.getByRole('textbox', { name: 'Name' })
    await name.fill('by-curl')
    await form.getByRole('textbox', { name: 'Description' }).fill(description)
    await form.getByText('Show as code').press('Enter')
    const code = form.getByRole('region', { name: 'Code' })
    await expect(code).toContainText('oxide disk create')
    await form.getByText('Terraform', { exact: true }).click()
    await expect(code).toContainText('resource "oxide_disk" "by-curl"')
    await inspectScreen(page, 'as-code-terraform')
    await form.getByRole('radio', { name: 'Terraform' }).press('ArrowLeft')
    await inspectScreen(page, 'as-code-api')

    const command = (await code.textContent()) ?? ''
    const token = await accessToken(signedIn, server.url)
    const answer = execFileSync('bash', ['-c', command], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: '/nowhere', CROFT_TOKEN: token },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(JSON.parse(answer)).toMatchObject({ name: 'by-curl', description })

    await name.fill('by-form')
    await expect(code).toContainText('"name": "by-form"')
    await form.getByRole('button', { name: 'Create disk', exact: true }).click()
    await expect(page.getByText('Disk by-form created')).toBeVisible()
    await expect
      .poll(async () => [(await disk('by-curl')).state, (await disk('by-form')).state])
      .toEqual([{ state: 'detached' }, { state: 'detached' }])
    expect(await disk('by-curl')).toEqual(await disk('by-form'))
  },
)

test('the form of an instance shows all of its call', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/instances-new`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('db')
  await page.getByText('Show as code').click()
  const code = page.getByRole('region', { name: 'Code' })
  await expect(code).toContainText(`oxide instance create \\\n  --project ${project}`)
  await expect(code).toContainText('"hostname": "db"')
  await inspectScreen(page, 'as-code-instance')
})
