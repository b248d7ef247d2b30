import { use, useId, useState } from 'react'
import type { ReactNode } from 'react'
import { Input } from 'react-aria-components/Input'

import * as text from '~/messages/explorer-screens'
import { cn } from '~/ui/class-names'
import { CONTROL_CLASS } from '~/ui/control-class'
import { CopyButton } from '~/ui/copy-button'
import { onDemand } from '~/ui/on-demand'

import { callPath } from './call-text'
import type { ParameterValues } from './call-text'
import { DescriptionText } from './description-text'
import { MethodBadge } from './method-badge'
import { exampleOf, typeName } from './openapi'
import type { Answer, ApiOperation, ParameterObject } from './openapi'
import { DocumentContext, SchemaView, TypedName } from './schema-view'
import { TryIt } from './try-it'

// What writes code is shared with forms and loaded when it is shown.
const CommandLine = onDemand(async () => (await import('./command-line')).CommandLine)

/** Everything about one operation. */
export function OperationView({ operation }: { operation: ApiOperation }) {
  const document = use(DocumentContext)
  const [values, setValues] = useState<ParameterValues>({})
  const { id, method, path, summary, description, parameters, body, answers, stream } = operation
  const example = document && body ? exampleOf(document, body.schema) : undefined
  return (
    <article aria-labelledby="operation" className="min-w-0 space-y-8">
      <header className="space-y-2">
        <h2 id="operation" className="font-mono text-lg font-semibold break-all">
          {id}
        </h2>
        {summary && <DescriptionText text={summary} />}
        {description && description !== summary && (
          <DescriptionText
            text={description}
            className="text-sm whitespace-pre-line text-fg-muted"
          />
        )}
        <CodeLine label={text.copyPathLabel} value={callPath(operation, values)}>
          <MethodBadge method={method} />
          <code className="min-w-0 grow text-xs break-all">{path}</code>
        </CodeLine>
        {stream && (
          <p className="text-sm text-fg-muted">
            {stream === 'websocket' ? text.webSocketHelp : text.eventStreamHelp}
          </p>
        )}
      </header>
      {parameters.length > 0 && (
        <Parameters
          parameters={parameters}
          values={values}
          onChange={(name, value) => setValues((current) => ({ ...current, [name]: value }))}
        />
      )}
      {body?.schema && (
        <Part title={text.bodyTitle} note={`${body.mediaType} · ${typeName(body.schema)}`}>
          <SchemaView schema={body.schema} />
        </Part>
      )}
      <Part title={text.commandLineTitle}>
        <CommandLine operation={operation} values={values} example={example} />
      </Part>
      {method === 'GET' && !stream && <TryIt operation={operation} values={values} />}
      {answers.map((answer) => (
        <AnswerSchema key={answer.status} answer={answer} />
      ))}
    </article>
  )
}

function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <div className="space-y-2">
      <h3 className="text-base font-semibold">
        {title}
        {note && <span className="ml-2 font-mono text-xs font-normal text-fg-subtle">{note}</span>}
      </h3>
      {children}
    </div>
  )
}

function AnswerSchema({ answer: { status, description, schema } }: { answer: Answer }) {
  return (
    <Part title={text.responseTitle(status)} note={schema && typeName(schema)}>
      {description && <DescriptionText text={description} className="text-sm text-fg-muted" />}
      {schema ? (
        <SchemaView schema={schema} />
      ) : (
        <p className="text-sm text-fg-muted">{text.noBodyHelp}</p>
      )}
    </Part>
  )
}

interface ParametersProps {
  parameters: readonly ParameterObject[]
  values: ParameterValues
  onChange: (name: string, value: string) => void
}

/** Path and query parameters. The values entered here are used in the command and the request below. */
function Parameters({ parameters, values, onChange }: ParametersProps) {
  const prefix = useId()
  return (
    <Part title={text.parametersTitle}>
      <div className="divide-y divide-line">
        {parameters.map(({ name, in: location, required, description, schema }) => (
          <div key={name} className="grid gap-x-6 gap-y-2 py-3 md:grid-cols-2">
            <div>
              <label
                htmlFor={`${prefix}${name}`}
                className="flex flex-wrap items-baseline gap-x-2 gap-y-1"
              >
                <TypedName
                  name={name}
                  schema={schema}
                  isRequired={required || location === 'path'}
                />
                <span className="text-xs text-fg-subtle">{text.parameterPlaceText(location)}</span>
              </label>
              {description && (
                <DescriptionText text={description} className="mt-1 text-xs text-fg-muted" />
              )}
            </div>
            <Input
              id={`${prefix}${name}`}
              value={values[name] ?? ''}
              onChange={(event) => onChange(name, event.target.value)}
              autoComplete="off"
              spellCheck={false}
              className={cn(CONTROL_CLASS, 'h-8 font-mono')}
            />
          </div>
        ))}
      </div>
    </Part>
  )
}

interface CodeLineProps {
  label: string
  value: string
  children: ReactNode
}

const CodeLine = ({ label, value, children }: CodeLineProps) => (
  <div className="flex items-center gap-3 rounded-md border border-line bg-sunken px-3 py-1.5">
    {children}
    <CopyButton value={value} label={label} />
  </div>
)
