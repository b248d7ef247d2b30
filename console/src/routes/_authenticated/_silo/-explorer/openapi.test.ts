import { describe, expect, it } from 'vitest'

import { callPath, missingParameters } from './call-text'
import { operationCommand } from './command-line'
import { exampleOf, groupDocuments, groupOperations, searchOperations, typeName } from './openapi'
import type { OpenApiDocument } from './openapi'

const document: OpenApiDocument = {
  info: { version: '1' },
  tags: [{ name: 'disks', description: 'Disks.' }, { name: 'empty' }],
  paths: {
    '/v1/disks': {
      post: {
        operationId: 'disk_create',
        tags: ['disks'],
        summary: 'Create a disk',
        parameters: [{ name: 'project', in: 'query', required: true, schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/DiskCreate' } } },
        },
        responses: { 201: { content: {} }, '4XX': { $ref: '#/components/responses/Error' } },
      },
    },
    '/v1/ping': { get: { operationId: 'ping' } },
    '/v1/disks/{disk}': {
      get: {
        operationId: 'disk_view',
        tags: ['disks'],
        parameters: [{ name: 'disk', in: 'path' }],
      },
    },
  },
  components: {
    schemas: {
      Kind: {
        oneOf: [{ type: 'object', properties: { type: { enum: ['blank'] } }, required: ['type'] }],
      },
      DiskCreate: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          size: { type: 'integer', minimum: 512 },
          source: { $ref: '#/components/schemas/Kind' },
          note: { type: 'string' },
        },
        required: ['name', 'size', 'source'],
      },
    },
    responses: { Error: { description: 'An error.', content: {} } },
  },
}

const groups = groupOperations(document)
const [create, view] = groups[0]?.operations ?? []

describe('groupOperations', () => {
  it('groups by tag and leaves out tags without operations', () => {
    expect(groups.map(({ tag, operations }) => [tag, operations.map(({ id }) => id)])).toEqual([
      ['disks', ['disk_create', 'disk_view']],
      ['other', ['ping']],
    ])
  })

  it('resolves shared answers', () => {
    expect(create?.answers).toEqual([
      { status: '201', description: undefined, schema: undefined },
      { status: '4XX', description: 'An error.', schema: undefined },
    ])
  })
})

describe('groupDocuments', () => {
  const extensions: OpenApiDocument = {
    info: { version: '1' },
    paths: {
      '/experimental/v1/vpcs/{vpc}/trace': { post: { operationId: 'vpc_trace', tags: ['vpcs'] } },
      '/experimental/v1/events': {
        get: {
          operationId: 'events',
          responses: { 200: { content: { 'text/event-stream': {} } } },
        },
      },
    },
  }
  const shown = groupDocuments({ contract: document, extensions })

  it('puts what is beside the contract last, in a group of its own', () => {
    expect(shown.map(({ tag, operations }) => [tag, operations.map(({ id }) => id)])).toEqual([
      ['disks', ['disk_create', 'disk_view']],
      ['other', ['ping']],
      ['Croft extensions', ['events', 'vpc_trace']],
    ])
  })

  it('knows which document an operation is described in, and which answers have no end', () => {
    const [events, trace] = shown.at(-1)?.operations ?? []
    expect(events?.document).toBe(extensions)
    expect([events?.stream, trace?.stream]).toEqual(['events', undefined])
    expect(shown[0]?.operations[0]?.document).toBe(document)
  })
})

describe('searchOperations', () => {
  it.each([
    ['disk view', ['disk_view']],
    ['POST disks', ['disk_create']],
    ['create a', ['disk_create']],
    ['nothing', []],
  ])('finds by "%s"', (text, expected) => {
    const found = searchOperations(groups, text).flatMap(({ operations }) => operations)
    expect(found.map(({ id }) => id)).toEqual(expected)
  })
})

describe('typeName', () => {
  it.each([
    [{ $ref: '#/components/schemas/Disk' }, 'Disk'],
    [{ allOf: [{ $ref: '#/components/schemas/Name' }] }, 'Name'],
    [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
    [{ type: ['string', 'null'] }, 'string'],
    [{ oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Name' }] }, 'Name'],
    [{ oneOf: [{ type: 'object' }, { type: 'string' }] }, 'one of'],
    [{ type: 'array', items: { type: 'integer' } }, 'array of integer'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'map of string'],
    [undefined, 'any'],
  ])('%j is %s', (schema, expected) => {
    expect(typeName(schema)).toBe(expected)
  })
})

describe('exampleOf', () => {
  it('has what is required and nothing else', () => {
    expect(exampleOf(document, create?.body?.schema)).toEqual({
      name: 'string',
      size: 512,
      source: { type: 'blank' },
    })
  })

  it('ends on a schema that contains itself', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/Node' } }, required: ['next'] }
    const recursive = { ...document, components: { schemas: { Node: node } } }
    expect(JSON.stringify(exampleOf(recursive, node))).toContain('null')
  })
})

describe('the text of a call', () => {
  it('fills what is known and keeps the placeholder of what is not', () => {
    if (!create || !view) throw new Error('the document lost its operations')
    expect(callPath(view, {})).toBe('/v1/disks/{disk}')
    expect(callPath(view, { disk: 'a b' })).toBe('/v1/disks/a%20b')
    expect(callPath(create, { project: 'web' })).toBe('/v1/disks?project=web')
    expect(missingParameters(view, {})).toEqual(['disk'])
    expect(missingParameters(create, { project: 'web' })).toEqual([])
  })

  it('quotes the command for a shell', () => {
    if (!create) throw new Error('the document lost its operations')
    expect(
      operationCommand({
        operation: create,
        values: { project: 'web' },
        example: { name: "it's" },
        origin: 'http://c',
      }),
    ).toBe(
      [
        `curl -X POST "\${CROFT_HOST:-http://c}"'/v1/disks?project=web' \\`,
        '  -H "Authorization: Bearer $CROFT_TOKEN" \\',
        "  -H 'Content-Type: application/json' \\",
        `  -d '{\n  "name": "it'\\''s"\n}'`,
      ].join('\n'),
    )
  })
})
