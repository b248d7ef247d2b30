import { describe, expect, it } from 'vitest'

import {
  certificateCreate,
  floatingIpAttach,
  floatingIpCreate,
  instanceCreate,
  instanceStop,
  localIdpUserCreate,
  projectCreate,
  projectUpdate,
  vpcFirewallRulesUpdate,
  vpcSubnetCreate,
  webhookReceiverCreate,
} from '~/api/generated/operations'
import type { AnyInput, Endpoint } from '~/api/operation'

import { codeOf } from './code'
import { hclLabel, hclString } from './hcl'
import { runInShell } from './run-in-shell'
import { shellQuote } from './shell'

const ORIGIN = 'https://croft.example'
const IMAGE = '11111111-2222-3333-4444-666666666666'

const code = (operation: Endpoint, input: AnyInput) => codeOf([{ operation, input }], ORIGIN)

const HOSTILE = [
  `it's "quoted" \\ back`,
  '$(touch /tmp/x) `id` $HOME ${x} %{if}',
  'a\nEOF\nb\tc',
  "'; exit 3; '",
  '--force ünïcode 🚜',
]

describe('the call', () => {
  it.each(HOSTILE)('gives curl exactly what is sent: %j', (text) => {
    const body = { name: text, description: text }
    const { api } = code(projectUpdate, { path: { project: text }, body })
    const { words } = runInShell('curl', api, { CROFT_TOKEN: 'secret-token' })
    const elsewhere = runInShell('curl', api, { CROFT_HOST: 'http://127.0.0.1:1' }).words
    expect(words).toEqual([
      '-X',
      'PUT',
      `${ORIGIN}/v1/projects/${encodeURIComponent(text)}`,
      '-H',
      'Authorization: Bearer secret-token',
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify(body, null, 2),
    ])
    expect(elsewhere[2]).toBe(`http://127.0.0.1:1/v1/projects/${encodeURIComponent(text)}`)
  })

  it('spells names as the API does and drops what is not set', () => {
    const { api } = code(floatingIpCreate, {
      query: { project: 'web' },
      body: { name: 'front', description: '', pool: undefined },
    })
    expect(api).toContain(`"\${CROFT_HOST:-${ORIGIN}}"'/v1/floating-ips?project=web'`)
    expect(api).not.toContain('pool')
  })

  it('has no body where none is sent', () => {
    const { api } = code(instanceStop, { path: { instance: 'db' }, query: { project: 'web' } })
    expect(api).not.toContain('-d')
    expect(api).toContain(
      `curl -X POST "\${CROFT_HOST:-${ORIGIN}}"'/v1/instances/db/stop?project=web'`,
    )
  })
})

describe('the command', () => {
  it.each(HOSTILE)('gives the client exactly what is sent: %j', (text) => {
    const body = { name: text, description: text }
    const { cli } = code(vpcSubnetCreate, { query: { project: text, vpc: text }, body })
    const { words, input } = runInShell('croft', cli)
    expect(words).toEqual([
      'vpc',
      'subnet',
      'create',
      `--project=${text}`,
      `--vpc=${text}`,
      '--json-body',
      '-',
    ])
    expect(JSON.parse(input)).toEqual(body)
  })

  it('names plain words without quotes', () => {
    const { cli } = code(vpcSubnetCreate, { query: { project: 'web', vpc: 'prod' }, body: {} })
    expect(cli).toContain('croft vpc subnet create \\\n  --project web \\\n  --vpc prod \\\n')
  })

  it('names the object of an action', () => {
    const body = { kind: 'instance', parent: 'db' }
    const { cli } = code(floatingIpAttach, {
      path: { floatingIp: 'front' },
      query: { project: 'web' },
      body,
    })
    const { words, input } = runInShell('croft', cli)
    expect(words).toEqual([
      'floating-ip',
      'attach',
      '--project',
      'web',
      '--floating-ip',
      'front',
      '--json-body',
      '-',
    ])
    expect(JSON.parse(input)).toEqual(body)
  })
})

describe('secrets', () => {
  const texts = (operation: Endpoint, body: unknown) => {
    const { cli, api, terraform } = code(operation, { body })
    return [cli, api, terraform ?? ''].join('\n')
  }

  it('are left out wherever they are', () => {
    const all = [
      texts(localIdpUserCreate, {
        externalId: 'ann',
        password: { mode: 'password', value: 'hunter2' },
      }),
      texts(webhookReceiverCreate, { name: 'hook', secrets: ['hunter2', 'hunter2'] }),
      texts(certificateCreate, { cert: 'PUBLIC', key: 'hunter2', service: 'external_api' }),
      texts(projectCreate, { signingKeypair: { privateKey: 'hunter2', publicCert: 'PUBLIC' } }),
      texts(projectCreate, { currentPassword: 'hunter2', newPassword: 'hunter2' }),
    ].join('\n')
    expect(all).not.toContain('hunter2')
    expect(all).toContain('"mode": "password"')
    expect(all).toContain('"value": "$PASSWORD"')
    expect(all).toContain('"$SECRET_2"')
    expect(all).toContain('"key": "$PRIVATE_KEY"')
    expect(all).toContain('"cert": "PUBLIC"')
    expect(all).toContain('"public_cert": "PUBLIC"')
  })

  it('are not user data, public keys or codes of ICMP', () => {
    const all = [
      texts(instanceCreate, { userData: 'I2Nsb3Vk', sshPublicKeys: ['laptop'] }),
      texts(vpcFirewallRulesUpdate, {
        rules: [{ name: 'ping', icmp: { icmpType: 8, code: '0-3' } }],
      }),
    ].join('\n')
    expect(all).toContain('I2Nsb3Vk')
    expect(all).toContain('laptop')
    expect(all).toContain('"code": "0-3"')
    expect(code(projectCreate, { body: { name: 'web' } }).hasSecrets).toBe(false)
  })

  it('are variables of Terraform', () => {
    const { terraform, hasSecrets } = code(projectCreate, {
      body: { name: 'web', password: 'hunter2' },
    })
    expect(hasSecrets).toBe(true)
    expect(terraform).toBe(
      `variable "password" {
  type = string
  sensitive = true
}

resource "oxide_project" "web" {
  name = "web"
  password = var.password
}`,
    )
  })
})

/** What HCL reads from a quoted string, as its specification says. Fails if a template begins in it. */
function readHcl(quoted: string): string {
  const source = quoted.slice(1, -1)
  expect(source).not.toMatch(/\n|(^|[^\\])(\\\\)*"/)
  const token = /\$\$\{|%%\{|\$\{|%\{|\\u([0-9a-f]{4})|\\(.)/g
  return source.replace(token, (found: string, code?: string, escape?: string) => {
    if (code !== undefined) return String.fromCharCode(parseInt(code, 16))
    if (escape !== undefined) return { n: '\n', r: '\r', t: '\t' }[escape] ?? escape
    expect(found).toHaveLength(3)
    return found.slice(1)
  })
}

/** Texts of what is special somewhere, the same ones in each run. */
function hostileTexts(count: number): string[] {
  const parts = [
    '$',
    '%',
    '{',
    '}',
    '"',
    "'",
    '`',
    '\\',
    '\n',
    '\r',
    '\t',
    '\u0001',
    '\u0085',
    ' ',
    '-',
    '#',
    '!',
    '*',
    '~',
    'a',
    'ü',
    '🚜',
    '<<EOF',
    'EOF',
  ]
  let state = 1
  const next = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
  return Array.from({ length: count }, () =>
    Array.from({ length: next(12) }, () => parts[next(parts.length)]).join(''),
  )
}

describe('any text', () => {
  it('is read by HCL as it was', () => {
    for (const text of hostileTexts(5_000)) expect(readHcl(hclString(text))).toBe(text)
  })

  it('is read by a shell as it was', () => {
    const texts = hostileTexts(300).filter(Boolean)
    const { words } = runInShell('curl', `curl ${texts.map(shellQuote).join(' ')} end`)
    expect(words).toEqual([...texts, 'end'])
  })
})

describe('Terraform', () => {
  it.each([
    ['plain', '"plain"'],
    ['say "hi" \\ now', String.raw`"say \"hi\" \\ now"`],
    ['a\nb\r\tc\u0007', String.raw`"a\nb\r\tc\u0007"`],
    ['${x} %{if y}', '"$${x} %%{if y}"'],
    ['$${x} $$ 5%', String.raw`"$\u0024{x} $$ 5%"`],
  ])('quotes %j', (text, quoted) => expect(hclString(text)).toBe(quoted))

  it.each([
    ['web-1', 'web-1'],
    ['1st', '_1st'],
    ['a b"c', 'a_b_c'],
  ])('names the block of %j', (name, label) => expect(hclLabel(name)).toBe(label))

  it('looks up what a call names, once, and gives ids as they are', () => {
    const subnet = (query: object) =>
      code(vpcSubnetCreate, { query, body: { name: 'back', ipv4Block: '10.0.0.0/24' } }).terraform
    expect(subnet({ project: 'web', vpc: 'prod' })).toBe(
      `data "oxide_vpc" "prod" {
  name = "prod"
  project_name = "web"
}

resource "oxide_vpc_subnet" "back" {
  vpc_id = data.oxide_vpc.prod.id
  name = "back"
  ipv4_block = "10.0.0.0/24"
}`,
    )
    const id = '11111111-2222-3333-4444-555555555555'
    expect(subnet({ vpc: id })).toContain(`vpc_id = "${id}"`)
  })

  it('describes an instance with its disks, interfaces and addresses', () => {
    const { terraform } = code(instanceCreate, {
      query: { project: 'web' },
      body: {
        name: 'db',
        hostname: 'db',
        ncpus: 2,
        memory: 1024,
        start: true,
        bootDisk: {
          type: 'create',
          name: 'boot',
          size: 10,
          diskSource: { type: 'image', imageId: IMAGE },
        },
        disks: [{ type: 'attach', name: 'data' }],
        networkInterfaces: { type: 'default' },
        externalIps: [{ type: 'ephemeral' }, { type: 'floating', floatingIp: 'front' }],
        sshPublicKeys: [],
        userData: 'I2Nsb3Vk',
      },
    })
    for (const part of [
      'resource "oxide_disk" "boot" {\n  project_id = data.oxide_project.web.id',
      `source_image_id = "${IMAGE}"`,
      'boot_disk_id = oxide_disk.boot.id',
      'disk_attachments = [\n    oxide_disk.boot.id,\n    data.oxide_disk.data.id,\n  ]',
      'vpc_id = data.oxide_vpc.default.id',
      'subnet_id = data.oxide_vpc_subnet.default.id',
      'type = "ephemeral"',
      'id = data.oxide_floating_ip.front.id',
      'user_data = "I2Nsb3Vk"',
    ]) {
      expect(terraform).toContain(part)
    }
    expect(terraform?.match(/data "oxide_project"/g)).toHaveLength(1)
    expect(terraform).not.toContain('ssh_public_keys')
  })

  it('has firewall rules by their names', () => {
    const rule = {
      name: 'a b',
      action: 'allow',
      filters: {
        ports: ['80'],
        hosts: null,
        protocols: [{ type: 'icmp', value: { icmpType: 8, code: '0-3' } }, { type: 'tcp' }],
      },
      targets: [],
    }
    const { terraform } = code(vpcFirewallRulesUpdate, {
      query: { project: 'web', vpc: 'prod' },
      body: { rules: [rule] },
    })
    expect(terraform).toContain('"a b" = {\n      action = "allow"\n')
    expect(terraform).toContain('ports = [\n          "80",\n        ]')
    expect(terraform).toContain('icmp_type = 8\n            icmp_code = "0-3"')
    expect(terraform).not.toContain('hosts')
  })

  it('says where an update belongs, and nothing where there is no resource', () => {
    expect(
      code(projectUpdate, { path: { project: 'web' }, body: { name: 'shop' } }).terraform,
    ).toBe(
      `# Change these arguments where the resource is declared.
resource "oxide_project" "web" {
  name = "shop"
}`,
    )
    expect(code(instanceStop, { path: { instance: 'db' } }).terraform).toBeNull()
  })
})
