import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import type { Page } from '@playwright/test'

import { accessToken } from '../fixtures/access-token'
import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// A project is exported as code, and the code makes it again.

const GIB = 1024 ** 3

type Thing = Record<string, unknown>
type List = (path: string) => Promise<Thing[]>

/** The text of a file that a button saves. */
async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return readFileSync(await download.path(), 'utf8')
}

/** What has to be the same in another project: no ids, no times and no addresses outside of it. */
const VARYING = new Set([
  'id',
  'time_created',
  'time_modified',
  'time_run_state_updated',
  'project_id',
  'vpc_id',
  'subnet_id',
  'vpc_router_id',
  'system_router_id',
  'custom_router_id',
  'internet_gateway_id',
  'instance_id',
  'boot_disk_id',
  'device_path',
  'snapshot_id',
  'mac',
])

const same = (thing: Thing): Thing =>
  Object.fromEntries(Object.entries(thing).filter(([name]) => !VARYING.has(name)))

const nameOf = (things: readonly Thing[], id: unknown) =>
  things.find((each) => each.id === id)?.name

const byName = (one: Thing, other: Thing) => String(one.name).localeCompare(String(other.name))

/** A project without what differs in each project. */
async function shapeOf(list: List, project: string) {
  const of = `project=${project}`
  const vpcs = await list(`vpcs?${of}`)
  const instances = await list(`instances?${of}`)
  const subnets: Thing[] = []
  const networks = []
  for (const vpc of vpcs) {
    const within = `${of}&vpc=${String(vpc.name)}`
    const routers = await list(`vpc-routers?${within}`)
    const own = await list(`vpc-subnets?${within}`)
    subnets.push(...own)
    const gateways = await list(`internet-gateways?${within}`)
    networks.push({
      ...same(vpc),
      rules: (await list(`vpc-firewall-rules?${within}`)).map(same),
      subnets: own.map((each) => ({
        ...same(each),
        router: nameOf(routers, each.custom_router_id),
      })),
      routers: await Promise.all(
        routers.map(async (router) => {
          const routes = await list(`vpc-router-routes?${within}&router=${String(router.name)}`)
          return { ...same(router), routes: routes.map(same) }
        }),
      ),
      gateways: await Promise.all(
        gateways.map(async (gateway) => {
          const at = `${within}&gateway=${String(gateway.name)}`
          return {
            ...same(gateway),
            pools: (await list(`internet-gateway-ip-pools?${at}`)).map(same),
            addresses: (await list(`internet-gateway-ip-addresses?${at}`)).map(same),
          }
        }),
      ),
    })
  }
  return {
    networks,
    disks: (await list(`disks?${of}`)).map(({ state, ...disk }) => ({
      ...same(disk),
      instance: nameOf(instances, (state as Thing).instance),
    })),
    floatingIps: (await list(`floating-ips?${of}`)).map((each) => ({
      ...same(each),
      // The next free one.
      ip: undefined,
      instance: nameOf(instances, each.instance_id),
    })),
    groups: await Promise.all(
      (await list(`anti-affinity-groups?${of}`)).map(async (group) => ({
        ...same(group),
        members: (await list(`anti-affinity-groups/${String(group.name)}/members?${of}`)).map(
          ({ value }) => (value as Thing).name,
        ),
      })),
    ),
    instances: await Promise.all(
      instances.map(async (instance) => {
        const at = `instances/${String(instance.name)}`
        const interfaces = await list(`network-interfaces?${of}&instance=${String(instance.name)}`)
        const disks = await list(`${at}/disks?${of}`)
        return {
          ...same(instance),
          boot: nameOf(disks, instance.boot_disk_id),
          interfaces: interfaces.map((each) => ({
            ...same(each),
            subnet: nameOf(subnets, each.subnet_id),
          })),
          external: (await list(`${at}/external-ips?${of}`)).map(({ kind, name, ip_pool_id }) => ({
            kind,
            name,
            ip_pool_id,
          })),
        }
      }),
    ),
  }
}

test(
  'a project is exported, and its script makes the same project',
  only('native', 'curl talks to a server'),
  async ({ page, visit, server, signedIn, resources, uniqueName }) => {
    test.slow()
    const project = uniqueName('project')
    const image = uniqueName('image')
    const description = `it's "quoted" $HOME \`id\` \${x} %{y}`
    const make = async (path: string, data: Thing, method: 'post' | 'put' = 'post') => {
      const url = `${server.url}/v1/${path}${path.includes('?') ? '&' : '?'}project=${project}`
      const answer = await signedIn[method](url, { data })
      expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
    }
    await resources.project(project, description)
    await resources.disk(project, 'origin')
    await resources.usableSnapshot(project, 'snap', 'origin')
    await resources.image(project, 'snap', image)
    const imageId = await resources.imageId(project, image)
    await resources.promoteImage(project, image)

    await make('vpcs', { name: 'prod', description, dns_name: 'prod' })
    await make('vpc-routers?vpc=prod', { name: 'way', description })
    await make('vpc-subnets?vpc=prod', {
      name: 'back',
      description,
      ipv4_block: '10.7.0.0/24',
      custom_router: 'way',
    })
    await make('internet-gateways?vpc=prod', { name: 'out', description })
    await make('internet-gateway-ip-addresses?vpc=prod&gateway=out', {
      name: 'fixed',
      description,
      address: '198.51.100.7',
    })
    const rule = {
      name: 'web',
      description,
      status: 'enabled',
      action: 'allow',
      direction: 'inbound',
      priority: 40,
      targets: [{ type: 'instance', value: 'app' }],
      filters: {
        hosts: [{ type: 'ip_net', value: '192.0.2.0/24' }],
        ports: ['80', '8000-8080'],
        protocols: [{ type: 'tcp' }, { type: 'icmp', value: { icmp_type: 8, code: null } }],
      },
    }
    await make('vpc-firewall-rules?vpc=prod', { rules: [rule] }, 'put')
    await make('floating-ips', { name: 'front', description })
    await make('anti-affinity-groups', {
      name: 'apart',
      description,
      policy: 'allow',
      failure_domain: 'sled',
    })
    await make('disks', {
      name: 'from-image',
      description,
      size: 2 * GIB,
      disk_source: { type: 'image', image_id: imageId },
    })
    await make('instances', {
      name: 'app',
      description,
      hostname: 'app-1',
      ncpus: 1,
      memory: GIB,
      auto_restart_policy: 'never',
      anti_affinity_groups: ['apart'],
      external_ips: [{ type: 'ephemeral' }, { type: 'floating', floating_ip: 'front' }],
      network_interfaces: {
        type: 'create',
        params: [
          { name: 'a', description, vpc_name: 'prod', subnet_name: 'back', ip: '10.7.0.9' },
          { name: 'b', description: '', vpc_name: 'prod', subnet_name: 'default' },
        ],
      },
      boot_disk: {
        type: 'create',
        name: 'app-boot',
        description,
        size: 2 * GIB,
        disk_source: { type: 'image', image_id: imageId },
      },
      disks: [
        {
          type: 'create',
          name: 'app-data',
          description: '',
          size: GIB,
          disk_source: { type: 'blank', block_size: 4096 },
        },
      ],
      start: false,
    })
    await make('network-interfaces/a?instance=app', { transit_ips: ['10.9.0.0/16'] }, 'put')
    await resources.instance(project, 'worker', { start: true, networked: true })
    await make('vpc-router-routes?vpc=prod&router=way', {
      name: 'to-app',
      description,
      destination: { type: 'ip_net', value: '10.20.0.0/16' },
      target: { type: 'instance', value: 'app' },
    })

    await visit('/projects')
    const filter = page.getByRole('row', { name: project })
    await filter.getByRole('button', { name: 'Row actions' }).click()
    await page.getByRole('menuitem', { name: 'Export as code' }).click()
    await expect(page.getByRole('dialog', { name: 'Export as code' })).toContainText(
      'snapshots (snap)',
    )
    await inspectScreen(page, 'project-export')
    const script = await saved(page, 'Download script')
    const terraform = await saved(page, 'Download Terraform')
    for (const block of [
      'resource "oxide_vpc" "prod"',
      'vpc_id = oxide_vpc.prod.id',
      `image_id = data.oxide_image.${image}.id`,
      'id = oxide_floating_ip.front.id',
      'depends_on = [',
    ]) {
      expect(terraform).toContain(block)
    }

    const copy = uniqueName('copy')
    execFileSync('bash', ['-c', script], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: '/nowhere',
        CROFT_TOKEN: await accessToken(signedIn, server.url),
        CROFT_PROJECT: copy,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    await resources.instanceIs(copy, 'worker', 'running')

    const list: List = async (path) => {
      const answer = await signedIn.get(`${server.url}/v1/${path}`)
      expect(answer.status(), await answer.text()).toBe(200)
      const { items, rules } = await answer.json()
      return (items ?? rules).toSorted(byName)
    }
    const wanted = await shapeOf(list, project)
    expect(await shapeOf(list, copy)).toEqual(wanted)
    expect(wanted.instances).toHaveLength(2)
    const read = async (name: string) =>
      (await (await signedIn.get(`${server.url}/v1/projects/${name}`)).json()).description
    expect(await read(copy)).toBe(await read(project))
  },
)
