// The built package as a script uses it, with timers that the test moves: `node --test`, with the package's folder in
// CROFT_PREVIEW_PACKAGE.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, mock, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const folder = process.env.CROFT_PREVIEW_PACKAGE
const start = Date.parse('2026-11-22T12:00:00Z')
const STEP = 10

let croft
let cookie

before(async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: start })
  const { default: init, Croft } = await import(pathToFileURL(join(folder, 'croft_preview.js')).href)
  await init({ module_or_path: await readFile(join(folder, 'croft_preview_bg.wasm')) })
  croft = new Croft()
  cookie = croft.signIn(croft.users()[0].name)
})

/** Lets time pass, and everything happen that is due meanwhile. */
async function pass(milliseconds) {
  for (let passed = 0; passed < milliseconds; passed += STEP) {
    mock.timers.tick(STEP)
    // oxlint-disable-next-line no-await-in-loop -- time passes step by step
    await new Promise(setImmediate)
  }
}

/** Text that comes piece by piece. */
function reader(source) {
  let text = ''
  const read = async () => {
    for (let piece = await source.next(); piece; piece = await source.next()) {
      text += Buffer.from(piece).toString()
    }
  }
  const ended = read()
  return { ended, text: () => text }
}

async function ask(method, url, { body, as = cookie } = {}) {
  const headers = [['sec-fetch-site', 'same-origin']]
  if (as) headers.push(['cookie', as])
  if (body) headers.push(['content-type', 'application/json'])
  const answer = await croft.handle(method, url, headers, body && Buffer.from(JSON.stringify(body)))
  const content = reader(answer)
  await content.ended
  const text = content.text()
  return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) }
}

test('the people of the demo set are there, each with their rights', async () => {
  const people = croft.users()
  assert.equal(people.length, 4)
  assert.equal(people[0].name, 'Hannah Arendt')
  const projects = await ask('GET', '/v1/projects')
  assert.equal(projects.status, 200)
  assert.ok(projects.body.items.some(({ name }) => name === 'mock-project'))
  assert.equal((await ask('GET', '/v1/projects', { as: '' })).status, 401)
  assert.equal((await ask('GET', '/v1/projects', { as: croft.signIn(people[3].name) })).status, 403)
  assert.throws(() => croft.signIn('Nobody'), /there is no user/)
})

test('an answer has the headers of a server, and paths that lead nowhere its errors', async () => {
  const { status, headers, body } = await ask('GET', '/v1/nothing')
  assert.equal(status, 404)
  const id = headers.find(([name]) => name === 'x-request-id')?.[1]
  assert.equal(body.request_id, id)
})

test('a support bundle is collected and can be fetched', async () => {
  const bundles = '/experimental/v1/system/support-bundles'
  const created = await ask('POST', bundles, { body: {} })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  // Background work begins a while after the first request.
  await pass(600)
  assert.equal((await ask('GET', `${bundles}/${created.body.id}`)).body.state, 'active')
  const answer = await croft.handle('GET', `${bundles}/${created.body.id}/download`, [['cookie', cookie]])
  const archive = reader(answer)
  await archive.ended
  assert.match(archive.text(), /^PK[^]*server\/versions\.json/)
})

test('an instance starts, is seen by who follows what changes, and greets on its serial console', async () => {
  const events = await croft.handle('GET', '/experimental/v1/events', [['cookie', cookie]])
  assert.equal(events.status, 200)
  const news = reader(events)
  await pass(50)
  assert.match(news.text(), /"reason":"started"/)

  const created = await ask('POST', '/v1/instances?project=mock-project', {
    body: {
      name: 'fresh',
      description: '',
      hostname: 'fresh',
      ncpus: 1,
      memory: 2 ** 30,
      network_interfaces: { type: 'none' },
    },
  })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  await pass(1000)
  const state = async () => (await ask('GET', `/v1/instances/${created.body.id}`)).body.run_state
  assert.equal(await state(), 'starting')
  await pass(3500)
  assert.equal(await state(), 'running')
  assert.match(news.text(), new RegExp(`"kind":"instance","id":"${created.body.id}"`))
  events.free()
  await news.ended

  const url = `/v1/instances/${created.body.id}/serial-console/stream?most_recent=0`
  const stream = await croft.openSerial(url, [['cookie', cookie]])
  const console = reader(stream)
  await pass(900)
  assert.equal(console.text(), '')
  await pass(2000)
  assert.match(console.text(), /Hello from Croft!\r\n$/)
  stream.send(Buffer.from('ada\r'))
  await pass(50)
  assert.match(console.text(), /!\r\nada\r\n/)
  stream.close()
  await console.ended
  assert.equal(stream.closeCode, 1000)
})

test('a serial console is refused as a server refuses it', async () => {
  const url = '/v1/instances/db1/serial-console/stream?project=mock-project'
  await assert.rejects(croft.openSerial(url, []), ({ status }) => status === 401)
})
