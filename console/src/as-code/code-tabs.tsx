import { useId, useState } from 'react'

import * as text from '~/messages/as-code'
import { cn } from '~/ui/class-names'
import { CodeBlock } from '~/ui/code-block'

import type { Code } from './code'

type Format = 'cli' | 'api' | 'terraform'

const FORMATS: readonly Format[] = ['cli', 'api', 'terraform']

/**
 * The three texts of something, one of them shown with a button that copies it. The choice is one of radio buttons, because forms are on the
 * login page too and `Tabs` would be the largest part of what this loads.
 */
export function CodeTabs({ code }: { code: Code }) {
  const [format, setFormat] = useState<Format>('cli')
  const name = useId()
  return (
    <div className="space-y-3">
      <div role="radiogroup" aria-label={text.formatsLabel} className="flex gap-1">
        {FORMATS.map((each) => (
          <label
            key={each}
            className={cn(
              'flex h-7 cursor-default items-center rounded-sm px-2.5 text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:outline-focus',
              each === format
                ? 'bg-selected font-medium text-fg'
                : 'text-fg-muted hover:bg-hover hover:text-fg',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={each === format}
              onChange={() => setFormat(each)}
              className="sr-only"
            />
            {text.formatLabel[each]}
          </label>
        ))}
      </div>
      <Shown format={format} code={code} />
    </div>
  )
}

function Shown({ format, code }: { format: Format; code: Code }) {
  const value = code[format]
  if (value === null) return <p className="text-sm text-fg-muted">{text.noTerraformText}</p>
  const help = format === 'terraform' ? text.terraformSecretsHelp : text.secretsHelp
  return (
    <div className="space-y-2">
      <CodeBlock label={text.codeLabel} copyLabel={text.copyLabel} value={value} />
      {[...code.notes, ...(code.hasSecrets ? [help] : [])].map((note) => (
        <p key={note} className="text-sm text-pretty text-fg-muted">
          {note}
        </p>
      ))}
    </div>
  )
}
