/** `time_created` -> `timeCreated`: how every wire name is spelled inside the console. */
export const camelCase = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase())

/** Wire names whose timestamp strings the client parses into dates (specification, section 3, last bullet). */
export const isDateName = (name) =>
  name.startsWith('time_') ||
  name.endsWith('_time') ||
  name.endsWith('_expiration') ||
  name === 'timestamp'

const methods = ['get', 'put', 'post', 'delete', 'head', 'patch']

/** The first document with the operations and schemas of the others. What several of them describe must be the same in all. */
export function mergeDocuments([first, ...others]) {
  const merged = structuredClone(first)
  for (const { paths, components } of others) {
    addAll('path', merged.paths, paths)
    addAll('schema', merged.components.schemas, components?.schemas ?? {})
  }
  return merged
}

function addAll(kind, target, source) {
  for (const [name, value] of Object.entries(source)) {
    if (name in target && JSON.stringify(target[name]) !== JSON.stringify(value))
      throw new Error(`the documents disagree about the ${kind} ${name}`)
    target[name] = value
  }
}

/**
 * A copy of an OpenAPI document with camel-cased properties, parameters and operation ids, in which `date-time` is left only where
 * the client really makes a `Date`.
 */
export function camelDocument(document) {
  const copy = structuredClone(document)
  for (const schema of Object.values(copy.components?.schemas ?? {})) renameSchema(schema, false)
  copy.paths = Object.fromEntries(
    Object.entries(copy.paths).map(([path, item]) => [camelPath(path), renamePathItem(item)]),
  )
  return copy
}

/** What the console sends: JSON, and files as they are. */
const sentTypes = new Set(['application/json', 'application/octet-stream'])

/** Every operation of a camel-cased document whose body, if it has one, is of these types: the only ones the console calls. */
export function listOperations(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => ({ path, method: method.toUpperCase(), operation: item[method] }))
      .filter(
        ({ operation }) =>
          !operation.requestBody ||
          Object.keys(operation.requestBody.content ?? {}).some((type) => sentTypes.has(type)),
      )
      .map(({ path, method, operation }) => ({ name: operation.operationId, method, path })),
  )
}

const camelPath = (path) => path.replace(/\{(\w+)\}/g, (_, name) => `{${camelCase(name)}}`)

function renamePathItem(item) {
  for (const method of methods) {
    const operation = item[method]
    if (!operation) continue
    operation.operationId = camelCase(operation.operationId)
    for (const parameter of operation.parameters ?? []) renameParameter(parameter)
    for (const body of [operation.requestBody, ...Object.values(operation.responses ?? {})]) {
      for (const media of Object.values(body?.content ?? {})) renameSchema(media.schema, false)
    }
  }
  for (const parameter of item.parameters ?? []) renameParameter(parameter)
  return item
}

function renameParameter(parameter) {
  if (parameter.in === 'query' || parameter.in === 'path')
    parameter.name = camelCase(parameter.name)
}

function renameSchema(schema, keepDate) {
  if (typeof schema !== 'object' || schema === null) return
  delete schema.example
  delete schema.default
  if (schema.format === 'date-time' && !keepDate) delete schema.format
  if (schema.properties) {
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => {
        renameSchema(property, isDateName(name))
        return [camelCase(name), property]
      }),
    )
  }
  if (schema.required) schema.required = schema.required.map(camelCase)
  if (schema.discriminator)
    schema.discriminator.propertyName = camelCase(schema.discriminator.propertyName)
  for (const part of ['allOf', 'oneOf', 'anyOf']) {
    for (const member of schema[part] ?? []) renameSchema(member, keepDate)
  }
  renameSchema(schema.items, false)
  renameSchema(schema.not, false)
  renameSchema(schema.additionalProperties, false)
}
