import { startIdentityProvider } from '../fixtures/identity-provider'
import { expect, test } from '../fixtures/test'

test('in clear, what another site’s page posts is posted once more by a page of the server', async ({
  server,
  browser,
  requests,
  uniqueName,
}) => {
  const silo = uniqueName('silo')
  const path = `/login/${silo}/saml/corp`
  const consumer = server.url + path
  const provider = await startIdentityProvider(consumer)
  provider.person('ada', [])
  const make = async (where: string, data: Record<string, unknown>) => {
    const answer = await requests.post(where, { data: { description: '', ...data } })
    expect(answer.status(), await answer.text()).toBe(201)
  }
  await make('/v1/system/silos', {
    name: silo,
    discoverable: true,
    identity_mode: 'saml_jit',
    quotas: { cpus: 1, memory: 0, storage: 0 },
    tls_certificates: [],
  })
  // Another site than that of the server, which is at 127.0.0.1.
  const metadata = provider.metadata.replaceAll('127.0.0.1', 'localhost')
  await make(`/v1/system/identity-providers/saml?silo=${silo}`, {
    name: 'corp',
    acs_url: consumer,
    slo_url: server.url,
    idp_entity_id: provider.entityId,
    sp_client_id: `urn:croft:${silo}`,
    technical_contact_email: 'it@corp.test',
    idp_metadata_source: {
      type: 'base64_encoded_xml',
      data: Buffer.from(metadata).toString('base64'),
    },
  })

  const page = await (await browser.newContext()).newPage()
  const posts: [origin: string | undefined, status: number][] = []
  page.on('response', (answer) => {
    const asked = answer.request()
    if (asked.method() === 'POST' && answer.url() === consumer)
      posts.push([asked.headers().origin, answer.status()])
  })
  await page.goto(`${consumer}?redirect_uri=%2Fprojects`)
  await page.getByRole('link', { name: 'Sign in with corp' }).click()
  expect(new URL(page.url()).hostname).toBe('localhost')
  await page.getByLabel('Name').fill('ada')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${server.url}/projects`)
  expect(posts.map(([, status]) => status)).toEqual([200, 303])
  expect(new URL(posts[0]?.[0] ?? '').hostname).toBe('localhost')
  expect(posts[1]?.[0]).toBe(server.url)
  await provider.stop()
})
