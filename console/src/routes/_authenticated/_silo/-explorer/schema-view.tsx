import { createContext, use } from 'react'
import type { ReactNode } from 'react'

import * as text from '~/messages/explorer-screens'
import { Badge } from '~/ui/badge'

import { DescriptionText } from './description-text'
import { refName, typeName } from './openapi'
import type { OpenApiDocument, Schema } from './openapi'

/** The document whose components `$ref`s point to. */
export const DocumentContext = createContext<OpenApiDocument | null>(null)

interface SchemaViewProps {
  schema: Schema
  /** Names of the enclosing schemas. A recursive schema is not expanded again. */
  within?: readonly string[]
}

/** A schema with all nested schemas expanded. */
export function SchemaView({ schema, within = [] }: SchemaViewProps) {
  const document = use(DocumentContext)
  const { resolved, names, isRecursive } = resolve(document, schema, within)
  if (isRecursive) return <p className="text-xs text-fg-subtle">{text.schemaAboveText}</p>
  const alternatives = (resolved.oneOf ?? resolved.anyOf ?? []).filter(
    ({ type }) => type !== 'null',
  )
  const isChoice = alternatives.length > 0 && alternatives.every(isPlainValue)
  return (
    <>
      {resolved.description && (
        <DescriptionText text={resolved.description} className="text-xs text-fg-muted" />
      )}
      <Limits
        schema={isChoice ? { ...resolved, enum: alternatives.flatMap(plainValues) } : resolved}
      />
      {!isChoice && alternatives.length > 0 && (
        <Alternatives schemas={alternatives} within={names} />
      )}
      {resolved.properties && <Properties schema={resolved} within={names} />}
      {resolved.items && hasContent(document, resolved.items) && (
        <Nested>
          <SchemaView schema={resolved.items} within={names} />
        </Nested>
      )}
      {typeof resolved.additionalProperties === 'object' && (
        <Nested>
          <SchemaView schema={resolved.additionalProperties} within={names} />
        </Nested>
      )}
    </>
  )
}

const plainValues = (schema: Schema) =>
  schema.const === undefined ? (schema.enum ?? []) : [schema.const]

/** Whether a schema only lists values. Alternatives of this kind are shown as one list. */
const isPlainValue = (schema: Schema) => plainValues(schema).length > 0 && !schema.properties

/** Follows references and wrappers around a single schema. */
function resolve(document: OpenApiDocument | null, schema: Schema, within: readonly string[]) {
  let resolved = schema
  let names = within
  for (;;) {
    const parts = resolved.allOf ?? resolved.oneOf ?? resolved.anyOf
    const single = parts?.filter(({ type }) => type !== 'null')
    if (single?.length === 1 && single[0]) {
      resolved = { description: resolved.description, ...single[0] }
      continue
    }
    if (!resolved.$ref) return { resolved, names, isRecursive: false }
    const name = refName(resolved.$ref)
    if (names.includes(name)) return { resolved, names, isRecursive: true }
    names = [...names, name]
    const target = document?.components?.schemas?.[name] ?? {}
    resolved = { ...target, description: resolved.description ?? target.description }
  }
}

/** Whether a schema has more to show than its name. */
function hasContent(document: OpenApiDocument | null, schema: Schema): boolean {
  const { resolved } = resolve(document, schema, [])
  return Boolean(
    resolved.properties ??
    resolved.oneOf ??
    resolved.anyOf ??
    resolved.enum ??
    resolved.items ??
    resolved.pattern ??
    resolved.description,
  )
}

const Nested = ({ children }: { children: ReactNode }) => (
  <div className="mt-1.5 border-l border-line pl-4">{children}</div>
)

function Properties({ schema, within }: { schema: Schema; within: readonly string[] }) {
  const document = use(DocumentContext)
  return (
    <dl className="divide-y divide-line">
      {Object.entries(schema.properties ?? {}).map(([name, property]) => (
        <div key={name} className="py-2">
          <dt className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
            <TypedName name={name} schema={property} isRequired={schema.required?.includes(name)} />
          </dt>
          <dd>
            {property.$ref || hasContent(document, property) ? (
              <div className="pl-4">
                <SchemaView schema={property} within={within} />
              </div>
            ) : (
              <Limits schema={property} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Name, type, and whether it is required. */
export function TypedName({
  name,
  schema,
  isRequired,
}: {
  name: string
  schema?: Schema
  isRequired?: boolean
}) {
  const isNullable = schema?.nullable || [schema?.type].flat().includes('null')
  return (
    <>
      <code className="text-sm font-medium text-fg">{name}</code>
      <code className="text-xs text-fg-muted">{typeName(schema)}</code>
      {isRequired && <Badge tone="notice">{text.requiredLabel}</Badge>}
      {isNullable && <Badge tone="neutral">{text.nullableLabel}</Badge>}
    </>
  )
}

function Alternatives({ schemas, within }: { schemas: Schema[]; within: readonly string[] }) {
  return (
    <ul aria-label={text.oneOfLabel} className="mt-1.5 space-y-2">
      {schemas.map((schema, index) => (
        // Alternatives have no names, and their order never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="rounded-sm border border-line px-3 py-2">
          <span className="text-label text-fg-subtle">
            {text.alternativeText(index + 1, schemas.length)}
          </span>{' '}
          {!schema.properties && <code className="text-xs text-fg-muted">{typeName(schema)}</code>}
          <SchemaView schema={schema} within={within} />
        </li>
      ))}
    </ul>
  )
}

/** Permitted values and ranges, in words. */
function Limits({ schema }: { schema: Schema }) {
  const values = plainValues(schema)
  const facts = [
    schema.minimum !== undefined && text.minimumText(schema.minimum),
    schema.maximum !== undefined && text.maximumText(schema.maximum),
    schema.minLength !== undefined && text.minimumLengthText(schema.minLength),
    schema.maxLength !== undefined && text.maximumLengthText(schema.maxLength),
    schema.default !== undefined && text.defaultText(JSON.stringify(schema.default)),
  ].filter(Boolean)
  return (
    <>
      {values.length > 0 && (
        <p className="flex flex-wrap gap-1.5 pt-1">
          {values.map((value) => (
            <code key={String(value)} className="rounded-sm bg-sunken px-1.5 text-xs text-fg-muted">
              {String(value)}
            </code>
          ))}
        </p>
      )}
      {facts.length > 0 && <p className="text-xs text-fg-subtle">{facts.join(', ')}</p>}
      {schema.pattern && (
        <p className="text-xs break-all text-fg-subtle">{text.patternText(schema.pattern)}</p>
      )}
    </>
  )
}
