import { beforeEach, expect, it } from 'vitest'

import { configureTransport } from '~/api/client'

import { codeOf } from './code'
import { existing } from './existing'
import type { CodeSubject } from './subject'

// What exists is read, and its code makes it again without what nobody can read.

const ORIGIN = 'https://croft.example'

const named = (name: string) => ({ id: `id-of-${name}`, name, description: 'Mine' })

const ANSWERS: Record<string, unknown> = {
  '/v1/system/silos/red': {
    ...named('red'),
    discoverable: true,
    identity_mode: 'local_only',
    mapped_fleet_roles: { admin: ['viewer'] },
  },
  '/v1/system/silos/red/quotas': { silo_id: 'id-of-red', cpus: 8, memory: 1024, storage: 2048 },
  '/v1/system/silos/id-of-red': named('red'),
  '/v1/system/ip-pools/edge': named('edge'),
  '/v1/system/ip-pools/edge/ranges': {
    items: [{ id: 'r', range: { first: '10.0.0.1', last: '10.0.0.9' } }],
  },
  '/v1/system/ip-pools/edge/silos': {
    items: [{ ip_pool_id: 'id-of-edge', silo_id: 'id-of-red', is_default: true }],
  },
  '/v1/alert-receivers/pager': {
    ...named('pager'),
    subscriptions: ['instance.*'],
    kind: { kind: 'webhook', endpoint: 'https://pager.example', secrets: [{ id: 's' }] },
  },
  '/experimental/v1/system/identity-providers/saml/corp': {
    ...named('corp'),
    acs_url: 'https://croft.example/acs',
    slo_url: 'https://corp.example/slo',
    sp_client_id: 'croft',
    idp_entity_id: 'corp',
    technical_contact_email: 'it@corp.example',
    public_cert: 'PUBLIC',
  },
  '/v1/system/users/u': { id: 'u', display_name: 'ann', silo_id: 'id-of-red' },
  '/experimental/v1/system/support-bundles/b': { id: 'b', user_comment: 'before the update' },
  '/v1/system/hardware/sleds/s': { id: 's', baseboard: { part: 'P1', serial: 'S1', revision: 2 } },
  '/v1/system/hardware/racks/r': { id: 'r' },
  '/v1/system/hardware/switches/w': { id: 'w' },
  '/v1/system/hardware/disks/d': { id: 'd' },
  '/v1/system/update/repository/1.2.3': {
    description: { repo: { file_name: 'repo-1.2.3.zip' }, artifacts: [] },
  },
  '/v1/system/update/trust-roots/t': { id: 't', root_role: { signed: { _type: 'root' } } },
  '/v1/network-interfaces/net0': {
    ...named('net0'),
    ip: '172.30.0.5',
    primary: true,
    vpc_id: 'v',
    subnet_id: 'sub',
    transit_ips: ['10.9.0.0/16'],
  },
  '/v1/vpcs/v': named('prod'),
  '/v1/vpc-subnets/sub': named('back'),
  '/v1/vpc-firewall-rules': { rules: [{ ...named('ssh'), action: 'allow' }] },
}

beforeEach(() => {
  configureTransport({
    host: '',
    fetch: (url) => {
      const { pathname } = new URL(url, ORIGIN)
      const body = ANSWERS[pathname]
      return Promise.resolve(
        Response.json(body ?? { message: pathname }, { status: body ? 200 : 404 }),
      )
    },
  })
})

const codeOfSubject = async (subject: CodeSubject) => {
  const { calls, id } = await existing(subject)
  return codeOf(calls, ORIGIN, id)
}

it.each<[CodeSubject, string[]]>([
  [
    { kind: 'silo', name: 'red' },
    ['croft silo view \\\n  --silo red', 'croft silo create', '"storage": 2048', '"viewer"'],
  ],
  [
    { kind: 'ip-pool', name: 'edge' },
    [
      'croft ip-pool view \\\n  --pool edge',
      'croft ip-pool create',
      'croft ip-pool range add \\\n  --pool edge',
      '"last": "10.0.0.9"',
      'croft ip-pool silo link \\\n  --pool edge',
      '"silo": "red"',
      '"is_default": true',
    ],
  ],
  [
    { kind: 'alert-receiver', name: 'pager' },
    [
      'croft alert-receiver view \\\n  --receiver pager',
      '"endpoint": "https://pager.example"',
      '"$SECRET"',
    ],
  ],
  [
    { kind: 'identity-provider', silo: 'red', name: 'corp' },
    [
      'croft saml identity-provider create \\\n  --silo red',
      '"data": "$METADATA"',
      '"private_key": "$PRIVATE_KEY"',
      '"PUBLIC"',
    ],
  ],
  [
    { kind: 'local-user', silo: 'red', id: 'u' },
    ['croft silo user view \\\n  --silo red', '"external_id": "ann"', '"value": "$PASSWORD"'],
  ],
  [{ kind: 'support-bundle', id: 'b' }, ['"user_comment": "before the update"']],
  [{ kind: 'sled', id: 's' }, ['croft sled add', '"serial": "S1"']],
  [{ kind: 'rack', id: 'r' }, ['croft rack view \\\n  --rack-id r']],
  [{ kind: 'switch', id: 'w' }, ['croft switch view \\\n  --switch-id w']],
  [{ kind: 'physical-disk', id: 'd' }, ['croft physical-disk view \\\n  --disk-id d']],
  [{ kind: 'release', version: '1.2.3' }, ["--file './repo-1.2.3.zip'"]],
  [{ kind: 'trust-root', id: 't' }, ['"_type": "root"']],
  [
    { kind: 'network-interface', project: 'web', instance: 'db', name: 'net0' },
    ['"vpc_name": "prod"', '"subnet_name": "back"', '"transit_ips": [\n    "10.9.0.0/16"'],
  ],
  [
    { kind: 'firewall-rules', project: 'web', vpc: 'prod' },
    ['croft vpc firewall-rules view', 'croft vpc firewall-rules update', '"name": "ssh"'],
  ],
])('%j is shown as code', async (subject, parts) => {
  const { cli } = await codeOfSubject(subject)
  for (const part of parts) expect(cli).toContain(part)
})

it('is a resource of Terraform where there is one', async () => {
  const pool = await codeOfSubject({ kind: 'ip-pool', name: 'edge' })
  expect(pool.terraform).toContain('resource "oxide_ip_pool" "edge"')
  expect(pool.terraform).toContain('id = "id-of-edge"')
  const sled = await codeOfSubject({ kind: 'sled', id: 's' })
  expect(sled.terraform).toBeNull()
  const rack = await codeOfSubject({ kind: 'rack', id: 'r' })
  expect(rack.terraform).toBeNull()
})

it('says what has to be filled in', async () => {
  const { notes } = await codeOfSubject({ kind: 'identity-provider', silo: 'red', name: 'corp' })
  expect(notes).toEqual([expect.stringContaining('$METADATA')])
})
