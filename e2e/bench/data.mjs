/** What the server has while it is measured. */

/** Requests that are under way at the same time while a project is filled. */
const connections = 32

/** Somebody who is signed in: the state for pages of Playwright, and functions that make things. */
export async function signIn(browser, url, silo, username, password) {
  const context = await browser.newContext()
  const answer = await context.request.post(`${url}/v1/login/${silo}/local`, {
    data: { username, password },
  })
  if (answer.status() !== 204) throw new Error(`sign-in answered ${answer.status()}`)
  const storageState = await context.storageState()
  await context.close()
  const cookie = storageState.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return { storageState, ...maker(url, cookie) }
}

/** Functions that make things. Node's own client is several times as fast as Playwright's. */
function maker(url, cookie) {
  const send = async (method, path, data) => {
    const headers = { cookie, 'content-type': 'application/json' }
    const sent = { method, headers, body: JSON.stringify(data) }
    const answer = await fetch(url + path, sent)
    const text = await answer.text()
    if (!answer.ok && !text.includes('ObjectAlreadyExists')) {
      throw new Error(`${path} answered ${answer.status}: ${text}`)
    }
    return answer.ok
  }
  return {
    makeProject: (name) => send('POST', '/v1/projects', { name, description: '' }),
    makeInstance: (project, name) =>
      send('POST', `/v1/instances?project=${project}`, {
        name,
        description: '',
        hostname: name,
        ncpus: 2,
        memory: 4 * 1024 ** 3,
        network_interfaces: { type: 'none' },
        start: false,
      }),
    /** Gives a stopped instance another number of vCPUs. */
    resize: (project, name, ncpus) =>
      send('PUT', `/v1/instances/${name}?project=${project}`, {
        ncpus,
        memory: 4 * 1024 ** 3,
        boot_disk: null,
        auto_restart_policy: null,
        cpu_platform: null,
      }),
  }
}

/** Makes a project with so many instances, `instance-0` and on. One that is there already has them. */
export async function fill({ makeProject, makeInstance }, project, count) {
  if (!(await makeProject(project))) return
  let next = 0
  const work = async () => {
    while (next < count) {
      const number = next
      next += 1
      // oxlint-disable-next-line no-await-in-loop -- each connection sends one request after the other
      await makeInstance(project, `instance-${number}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(connections, count) }, work))
}
