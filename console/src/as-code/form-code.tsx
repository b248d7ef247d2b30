import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

import * as text from '~/messages/as-code'

import type { FormCalls } from './call'
import { codeOf } from './code'
import type { Code } from './code'
import { CodeTabs } from './code-tabs'

/** What is entered, or the form that has it, and what is sent then. */
export type FormCodeProps<V extends FieldValues> = { calls: FormCalls<V> } & (
  | { form: UseFormReturn<V> }
  | { values: V }
)

const isSame = (a: Code | null | undefined, b: Code) =>
  a?.cli === b.cli && a.api === b.api && a.terraform === b.terraform

/** What submitting a form would do now, as code. Follows what is entered. */
export function FormCode<V extends FieldValues>(props: FormCodeProps<V>) {
  return 'form' in props ? <WatchedCode {...props} /> : <LiveCode {...props} />
}

function WatchedCode<V extends FieldValues>(props: {
  form: UseFormReturn<V>
  calls: FormCalls<V>
}) {
  const values = useWatch({ control: props.form.control }) as V
  return <LiveCode values={values} calls={props.calls} />
}

function LiveCode<V extends FieldValues>({ values, calls }: { values: V; calls: FormCalls<V> }) {
  // Null if the values are of no use yet, undefined before the first answer.
  const [code, setCode] = useState<Code | null>()
  useEffect(() => {
    let isLatest = true
    const write = async () => {
      try {
        const next = codeOf(await calls(values), window.location.origin)
        if (isLatest) setCode((current) => (isSame(current, next) ? current : next))
      } catch {
        if (isLatest) setCode(null)
      }
    }
    void write()
    return () => {
      isLatest = false
    }
  }, [values, calls])
  if (code === null) return <p className="text-sm text-fg-muted">{text.incompleteText}</p>
  return code && <CodeTabs code={code} />
}
