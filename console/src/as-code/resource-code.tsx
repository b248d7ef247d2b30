import { useQuery } from '@tanstack/react-query'

import { ApiError } from '~/api/errors'
import * as text from '~/messages/as-code'
import { confirm } from '~/ui/confirm'
import { Message } from '~/ui/message'
import { Spinner } from '~/ui/spinner'

import { codeOf } from './code'
import { CodeTabs } from './code-tabs'
import { readExisting } from './existing-calls'
import type { CodeSubject } from './subject'

/** Opens a dialog with something that exists as code. */
export function openCode(subject: CodeSubject): void {
  confirm({ title: text.resourceTitle, body: <ResourceCode subject={subject} /> })
}

function ResourceCode({ subject }: { subject: CodeSubject }) {
  const { data, error } = useQuery({
    queryKey: ['as-code', subject],
    queryFn: () => readExisting(subject),
    retry: false,
    // It is read when it is opened: what is shown is to be what is there.
    gcTime: 0,
    staleTime: Infinity,
  })
  if (error) {
    return (
      <Message tone="danger" title={text.unreadableTitle}>
        {error instanceof ApiError ? error.message : text.unreadableError}
      </Message>
    )
  }
  if (!data) return <Spinner />
  return (
    <div className="w-2xl max-w-full space-y-3">
      <p>{text.resourceHelp[subject.kind]}</p>
      <CodeTabs code={codeOf(data.calls, window.location.origin, data.id)} />
    </div>
  )
}
