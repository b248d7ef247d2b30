import { execFileSync } from 'node:child_process'

import { expect, it } from 'vitest'

import { diskCreate, projectCreate, vpcCreate } from '~/api/generated/operations'

import { exportScript } from './export-script'
import { exportTerraform } from './export-terraform'
import type { ProjectExport } from './project-export'

const HOSTILE = `it's "image_id": "debian" $HOME \`id\` \${x}\nEOF`

const exported: ProjectExport = {
  project: 'web',
  notes: ['Left out: snapshots (a and b).'],
  calls: [
    { operation: projectCreate, input: { body: { name: 'web', description: HOSTILE } } },
    {
      operation: diskCreate,
      input: {
        query: { project: 'web' },
        body: {
          name: 'boot',
          description: HOSTILE,
          diskSource: { type: 'image', imageId: 'debian' },
        },
      },
    },
    {
      operation: vpcCreate,
      input: { query: { project: 'web' }, body: { name: 'prod', description: HOSTILE } },
    },
  ],
}

/** Runs the script in bash with a curl that tells its words and answers with an id. */
function requests(variables: Record<string, string>): string[][] {
  const curl = `curl() { printf '%s\\0' "$@" >&3; printf '\\0' >&3; printf '{"id":"id-of-image"}'; }`
  const script = `exec 3>&1 >/dev/null\n${curl}\n${exportScript(exported, 'https://croft.example')}`
  const output = execFileSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return output
    .split('\0\0')
    .filter(Boolean)
    .map((words) => words.split('\0'))
}

it('sends what was there, to the project and the server of its variables', () => {
  const sent = requests({ CROFT_TOKEN: 't', CROFT_HOST: 'http://h', CROFT_PROJECT: 'copy' })
  const bodies = sent.map((words) => {
    const at = words.indexOf('-d')
    return at < 0 ? null : (JSON.parse(words[at + 1] ?? '') as unknown)
  })
  expect(sent.map((words) => words.find((word) => word.startsWith('http')))).toEqual([
    'http://h/v1/images/debian',
    'http://h/v1/projects',
    'http://h/v1/disks?project=copy',
    'http://h/v1/vpcs?project=copy',
  ])
  expect(bodies).toEqual([
    null,
    { name: 'copy', description: HOSTILE },
    {
      name: 'boot',
      description: HOSTILE,
      disk_source: { type: 'image', image_id: 'id-of-image' },
    },
    { name: 'prod', description: HOSTILE },
  ])
})

it('takes the server and the name of the project that was exported', () => {
  const sent = requests({ CROFT_TOKEN: 't' })
  expect(sent[2]).toContain('https://croft.example/v1/disks?project=web')
})

it('stops without a token', () => expect(() => requests({})).toThrow('Command failed'))

it('says at the top what is left out', () => {
  expect(exportScript(exported, '')).toContain('\n# Left out: snapshots (a and b).\n')
  expect(exportTerraform(exported)).toContain('\n# Left out: snapshots (a and b).\n')
})

it('refers to what the file of Terraform makes', () => {
  const file = exportTerraform(exported)
  expect(file).toContain('project_id = oxide_project.web.id')
  expect(file).toContain('source_image_id = data.oxide_image.debian.id')
})
