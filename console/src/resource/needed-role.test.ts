import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { neededRoles } from './needed-role'
import type { RightsScope } from './needed-role'
import type { Role } from './role'

// The server's own table of permissions, so that the two cannot come apart.
const control = resolve('../crates/control/src')
const table = new Map(
  [
    ...readFileSync(join(control, 'authz/table.rs'), 'utf8').matchAll(
      /^ {4}(\w+): (\[.*?\]|\w+), (\[.*?\]|\w+), (\[.*?\]|\w+), "/gm,
    ),
  ].map(([, kind = '', fleet = '', silo = '', project = '']) => [kind, { fleet, silo, project }]),
)
const NAMED: Record<string, string> = {
  NONE: '["-", "-", "-"]',
  SILO_ON_PROJECT: '["rl", "rlcm", "rlcm"]',
  INSIDE_PROJECT: '["rl", "rlcm", "rlcm"]',
}
const operations = [
  ...readFileSync(join(control, 'operation.rs'), 'utf8').matchAll(
    /(?:changes|reads)\(\s*"(\w+)",\s*Kind::(\w+),\s*Permission::(\w+)/g,
  ),
].map(([, id = '', kind = '', permission = '']) => ({
  name: id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  kind,
  letter: permission[0]?.toLowerCase() ?? '',
}))

/** The weakest role on a scope that the table lets do this; nothing where none does. */
function weakest(kind: string, scope: RightsScope, letter: string): Role | undefined {
  const row = table.get(kind)?.[scope] ?? ''
  const sets = JSON.parse(NAMED[row] ?? row) as string[]
  const index = sets.findIndex((set) => set.includes(letter))
  return (['viewer', 'collaborator', 'admin'] as const)[index]
}

/** The operations that controls of the console name. */
const used = new Set(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
    .flatMap((file) => [
      ...readFileSync(join('src', file), 'utf8').matchAll(/\bneeds(?:=\{|: )(\w+)/g),
    ])
    .map(([, name]) => name),
)

const inUse = operations.filter(({ name }) => used.has(name))

describe('the role that an operation needs', () => {
  it('is known for what controls name', () => {
    expect(inUse.length).toBeGreaterThan(60)
  })

  it.each(inUse.filter(({ kind, letter }) => weakest(kind, 'project', letter)))(
    'is that of the table on a project: $name',
    ({ name, kind, letter }) => {
      // Promoting takes a right on the silo besides, which no role on a project brings.
      if (name === 'imagePromote') return
      expect(neededRoles(name, 'project')).toEqual([
        { on: 'project', role: weakest(kind, 'project', letter) },
      ])
    },
  )

  it.each(inUse.filter(({ kind, letter }) => weakest(kind, 'fleet', letter)))(
    'is that of the table on the fleet: $name',
    ({ name, kind, letter }) => {
      expect(neededRoles(name, 'fleet')).toContainEqual({
        on: 'fleet',
        role: weakest(kind, 'fleet', letter),
      })
    },
  )

  it('is that of the table on a silo', () => {
    for (const [name, kind, letter] of [
      ['projectCreate', 'Silo', 'c'],
      ['policyUpdate', 'Silo', 'm'],
      ['imagePromote', 'Silo', 'c'],
      ['imageDemote', 'SiloImage', 'm'],
      ['imageDelete', 'SiloImage', 'm'],
    ] as const) {
      expect(neededRoles(name, 'silo')).toContainEqual({
        on: 'silo',
        role: weakest(kind, 'silo', letter),
      })
    }
  })

  it('can be one on the silo for its own people, and one on the fleet for its policy', () => {
    expect(neededRoles('localIdpUserCreate', 'fleet')).toContainEqual({
      on: 'silo',
      role: weakest('UserList', 'silo', 'c'),
    })
    expect(neededRoles('policyUpdate', 'silo')).toContainEqual({
      on: 'fleet',
      role: weakest('Silo', 'fleet', 'm'),
    })
  })
})
