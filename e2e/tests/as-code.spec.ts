import { execFileSync } from 'node:child_process'
import path from 'node:path'

import { accessToken } from '../fixtures/access-token'
import { Keyboard } from '../fixtures/keyboard'
import { inspectScreen } from '../fixtures/screens'
import { serverBinary } from '../fixtures/server'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// What a form shows as code does what the form would have done.

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
    await expect(code).toContainText('croft disk create')
    await form.getByText('Terraform', { exact: true }).click()
    await expect(code).toContainText('resource "oxide_disk" "by-curl"')
    await inspectScreen(page, 'as-code-terraform')
    await form.getByRole('radio', { name: 'Terraform' }).press('ArrowLeft')
    await inspectScreen(page, 'as-code-api')

    const token = await accessToken(signedIn, server.url)
    const answer = (command: string) => {
      const { PATH } = process.env
      const paths = `${path.dirname(serverBinary)}:${PATH}`
      const env = { PATH: paths, HOME: '/nowhere', CROFT_TOKEN: token, CROFT_HOST: server.url }
      const text = execFileSync('bash', ['-c', command], {
        encoding: 'utf8',
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      return JSON.parse(text) as unknown
    }
    expect(answer((await code.textContent()) ?? '')).toMatchObject({ name: 'by-curl', description })

    await name.fill('by-croft')
    await form.getByRole('radio', { name: 'API' }).press('ArrowLeft')
    await expect(code).toContainText('"name": "by-croft"')
    const command = (await code.textContent()) ?? ''
    expect(answer(`export CROFT_OUTPUT=json\n${command}`)).toMatchObject({
      name: 'by-croft',
      description,
    })

    await name.fill('by-form')
    await expect(code).toContainText('"name": "by-form"')
    await form.getByRole('button', { name: 'Create disk', exact: true }).click()
    await expect(page.getByText('Disk by-form created')).toBeVisible()
    await expect
      .poll(async () => [
        (await disk('by-croft')).state,
        (await disk('by-curl')).state,
        (await disk('by-form')).state,
      ])
      .toEqual([{ state: 'detached' }, { state: 'detached' }, { state: 'detached' }])
    expect(await disk('by-curl')).toEqual(await disk('by-form'))
    expect(await disk('by-croft')).toEqual(await disk('by-form'))
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
  await expect(code).toContainText(`croft instance create \\\n  --project ${project}`)
  await expect(code).toContainText('"hostname": "db"')
  await inspectScreen(page, 'as-code-instance')
})

test('what exists is shown as code, from its row and from its page', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db', { networked: true })
  const dialog = page.getByRole('dialog', { name: 'Code' })
  const code = dialog.getByRole('region', { name: 'Code' })

  await visit(`/projects/${project}/instances/db/storage`)
  const actions = page.getByRole('button', { name: 'Instance actions' })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Show as code' }).click()
  await expect(code).toContainText(
    `croft instance view \\\n  --project ${project} \\\n  --instance db`,
  )
  await expect(code).toContainText(`croft instance create \\\n  --project ${project}`)
  await expect(code).toContainText('"subnet_name": "default"')
  await inspectScreen(page, 'as-code-instance-page')
  await dialog.getByText('Terraform', { exact: true }).click()
  await expect(code).toContainText('import {\n  to = oxide_instance.db')
  await expect(code).toContainText('boot_disk_id = oxide_disk.db-boot.id')
  const close = async () => {
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toBeHidden()
  }
  await close()
  await expect(actions).toBeFocused()

  const openRow = async (path: string, row: string) => {
    await visit(path)
    await page.getByRole('row', { name: row }).getByRole('button', { name: 'Row actions' }).click()
    await page.getByRole('menuitem', { name: 'Show as code' }).click()
  }
  await openRow(`/projects/${project}/disks`, 'db-boot')
  await expect(code).toContainText('"size": 10737418240')
  await close()
  await openRow(`/projects/${project}/vpcs`, 'default')
  await dialog.getByText('API', { exact: true }).click()
  await expect(code).toContainText(`/v1/vpc-firewall-rules?project=${project}&vpc=default`)
  await close()
  await openRow(`/projects/${project}/vpcs/default/subnets`, 'default')
  await expect(code).toContainText('croft vpc subnet view')
  await close()
  await openRow(`/projects/${project}/vpcs/default/routers`, 'system')
  await expect(code).toContainText('croft vpc router view')
  await dialog.getByText('Terraform', { exact: true }).click()
  await expect(dialog).toContainText('The Terraform provider has no resource for this')
})

test('dialogs show what they send', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  await resources.disk(project, 'data')
  const code = page.getByRole('region', { name: 'Code' })

  await visit(`/projects/${project}/instances/db/storage`)
  await page.getByRole('button', { name: 'Attach existing disk' }).click()
  const attach = page.getByRole('dialog', { name: 'Attach disk' })
  await attach.getByText('Show as code').press('Enter')
  await attach.getByRole('combobox', { name: 'Disk name' }).fill('data')
  await page.getByRole('option', { name: 'data' }).click()
  await expect(code).toContainText(
    `croft instance disk attach \\\n  --project ${project} \\\n  --instance db`,
  )
  await expect(code).toContainText('"disk": "data"')
  await inspectScreen(page, 'as-code-attach-disk')

  await visit(`/projects/${project}/access`)
  await page.getByRole('button', { name: 'Add user or group' }).click()
  const add = page.getByRole('dialog', { name: 'Add user or group' })
  await add.getByText('Show as code').press('Enter')
  await expect(add.getByText('Fill in the required fields to see the code.')).toBeVisible()
  await add.getByRole('combobox', { name: 'User or group' }).click()
  await page.getByRole('option').first().click()
  await add.getByRole('button', { name: /^Role/ }).click()
  await page.getByRole('option', { name: 'Viewer' }).click()
  await expect(code).toContainText(`croft project policy update \\\n  --project ${project}`)
  await expect(code).toContainText('"role_name": "viewer"')
  await inspectScreen(page, 'as-code-role')
})

test('questions show what they send', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  const keys = new Keyboard(page)
  const question = page.getByRole('alertdialog')
  const code = question.getByRole('region', { name: 'Code' })

  await visit(`/projects/${project}/instances/db/storage`)
  await keys.use(page.getByRole('button', { name: 'Start' }))
  await keys.use(question.getByText('Show as code'))
  await expect(code).toContainText(
    `croft instance start \\\n  --project ${project} \\\n  --instance db`,
  )
  await inspectScreen(page, 'as-code-start')
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()

  await page.getByRole('button', { name: 'Instance actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await question.getByText('Show as code').press('Enter')
  await expect(code).toContainText('croft instance delete')
  // What is deleted along is another call.
  await question.getByRole('checkbox').first().press('Space')
  await expect(code).toContainText('croft deletion create')
  await inspectScreen(page, 'as-code-delete')
})
