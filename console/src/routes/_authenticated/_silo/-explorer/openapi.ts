import * as text from '~/messages/explorer-screens'

/** The parts of an OpenAPI 3 document that the explorer shows. */
export interface OpenApiDocument {
  info: { title?: string; version: string; description?: string }
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, ResponseObject> }
}

interface OperationObject {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  parameters?: ParameterObject[]
  requestBody?: { required?: boolean; content: Content }
  responses?: Record<string, ResponseObject>
  'x-dropshot-websocket'?: unknown
}

export interface ParameterObject {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}

interface ResponseObject {
  $ref?: string
  description?: string
  content?: Content
}

type Content = Record<string, { schema?: Schema }>

/** A JSON schema, as OpenAPI 3.0 and 3.1 write it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  nullable?: boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
}

/** One response of an operation. */
export interface Answer {
  status: string
  description?: string
  schema?: Schema
}

/** One operation, ready to be shown. */
export interface ApiOperation {
  /** The document that its references point into. */
  document: OpenApiDocument
  id: string
  method: string
  path: string
  tag: string
  summary?: string
  description?: string
  parameters: ParameterObject[]
  body?: { required: boolean; mediaType: string; schema?: Schema }
  answers: Answer[]
  /** The kind of stream that it opens, if it does not answer with a single response. */
  stream?: 'websocket' | 'events'
}

/** The operations of one tag. */
export interface ApiGroup {
  tag: string
  description?: string
  operations: ApiOperation[]
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head']

/** The tag of the operations that are not part of the contract. */
const EXTENSIONS_TAG = text.extensionsLabel

/** The operations of the contract by tag, followed by Croft's extensions as one group. */
export function groupDocuments({
  contract,
  extensions,
}: {
  contract: OpenApiDocument
  extensions: OpenApiDocument
}): ApiGroup[] {
  const operations = groupOperations(extensions).flatMap((group) => group.operations)
  return [
    ...groupOperations(contract),
    {
      tag: EXTENSIONS_TAG,
      operations: operations.toSorted((one, other) => one.id.localeCompare(other.id)),
    },
  ].filter((group) => group.operations.length > 0)
}

/** Every operation of the document, grouped by tag in the document's order of tags, then by name. */
export function groupOperations(document: OpenApiDocument): ApiGroup[] {
  const groups = new Map<string, ApiGroup>(
    (document.tags ?? []).map(({ name, description }) => [
      name,
      { tag: name, description, operations: [] },
    ]),
  )
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method]
      if (!operation) continue
      const shown = toOperation(document, path, method, operation)
      const group = groups.get(shown.tag) ?? { tag: shown.tag, operations: [] }
      group.operations.push(shown)
      groups.set(shown.tag, group)
    }
  }
  return [...groups.values()].filter(({ operations }) => operations.length > 0)
}

function toOperation(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: OperationObject,
): ApiOperation {
  const [mediaType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  return {
    document,
    id: operation.operationId ?? `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    tag: operation.tags?.[0] ?? text.otherOperationsLabel,
    summary: operation.summary,
    description: operation.description,
    parameters: operation.parameters ?? [],
    ...(mediaType && {
      body: {
        required: operation.requestBody?.required ?? false,
        mediaType,
        schema: media?.schema,
      },
    }),
    answers: Object.entries(operation.responses ?? {}).map(([status, answer]) =>
      toAnswer(document, status, answer),
    ),
    stream: streamOf(path, operation),
  }
}

function streamOf(path: string, operation: OperationObject): ApiOperation['stream'] {
  if ('x-dropshot-websocket' in operation || path.endsWith('/stream')) return 'websocket'
  const answers = Object.values(operation.responses ?? {})
  return answers.some(({ content }) => content && 'text/event-stream' in content)
    ? 'events'
    : undefined
}

function toAnswer(document: OpenApiDocument, status: string, answer: ResponseObject): Answer {
  const { description, content } = answer.$ref
    ? (document.components?.responses?.[refName(answer.$ref)] ?? answer)
    : answer
  return { status, description, schema: Object.values(content ?? {})[0]?.schema }
}

/** `Disk` of `#/components/schemas/Disk`. */
export const refName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

/** The operations whose id, path or summary contains every word of the query. */
export function searchOperations(groups: readonly ApiGroup[], query: string): ApiGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ id, path, method, summary = '' }) => {
        const haystack = `${id} ${method} ${path} ${summary} ${group.tag}`.toLowerCase()
        return words.every((word) => haystack.includes(word))
      }),
    }))
    .filter(({ operations }) => operations.length > 0)
}

/** The type of a parameter or property in a few words: `string (uuid)`, `Name`, `array of Disk`. */
export function typeName(schema: Schema | undefined): string {
  if (!schema) return text.anyTypeText
  if (schema.$ref) return refName(schema.$ref)
  const single = [schema.allOf, schema.oneOf, schema.anyOf].find(
    (parts) => parts?.length === 1,
  )?.[0]
  if (single) return typeName(single)
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (alternatives.length === 1) return typeName(alternatives[0])
  if (alternatives.length > 0) return text.oneOfTypeText
  const type = [schema.type ?? (schema.properties ? 'object' : text.anyTypeText)]
    .flat()
    .find((name) => name !== 'null')
  if (type === 'array') return text.arrayTypeText(typeName(schema.items))
  if (type === 'object' && typeof schema.additionalProperties === 'object') {
    return text.mapTypeText(typeName(schema.additionalProperties))
  }
  return schema.format ? `${type} (${schema.format})` : (type ?? text.anyTypeText)
}

/** An example value of a schema, for a request body. Optional properties are left out. */
export function exampleOf(
  document: OpenApiDocument,
  schema: Schema | undefined,
  depth = 0,
): unknown {
  if (!schema || depth > 8) return null
  if (schema.$ref) {
    return exampleOf(document, document.components?.schemas?.[refName(schema.$ref)], depth + 1)
  }
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const part = (schema.allOf ?? schema.oneOf ?? schema.anyOf)?.find(({ type }) => type !== 'null')
  if (part) return exampleOf(document, part, depth + 1)
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([name]) => schema.required?.includes(name))
        .map(([name, property]) => [name, exampleOf(document, property, depth + 1)]),
    )
  }
  const type = [schema.type].flat()[0]
  if (type === 'array') return []
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0
  if (type === 'boolean') return false
  if (type === 'object') return {}
  return 'string'
}
