import { useMutation } from '@tanstack/react-query'

import { read } from '~/api/client'
import type { RawAnswer } from '~/api/client'
import { unreachable } from '~/api/errors'
import * as text from '~/messages/explorer-screens'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { CopyButton } from '~/ui/copy-button'
import { Message } from '~/ui/message'

import { callPath, missingParameters } from './call-text'
import type { ParameterValues } from './call-text'
import type { ApiOperation } from './openapi'

interface TryItProps {
  operation: ApiOperation
  values: ParameterValues
}

/** Sends the request with the user's session and shows the response unchanged. Only for operations that change nothing. */
export function TryIt({ operation, values }: TryItProps) {
  const send = useMutation({ mutationFn: () => read(callPath(operation, values)) })
  const missing = missingParameters(operation, values)
  return (
    <section aria-labelledby="try-it" className="space-y-3">
      <div className="flex items-center justify-between gap-4">
        <h3 id="try-it" className="text-base font-semibold">
          {text.tryItTitle}
        </h3>
        <Button
          needs={null}
          size="sm"
          loading={send.isPending}
          disabledReason={missing.length > 0 && text.missingParametersError(missing)}
          onPress={() => send.mutate()}
        >
          {text.sendRequestLabel}
        </Button>
      </div>
      <p className="text-sm text-fg-muted">{text.ownSessionHelp}</p>
      {send.isError && <Message tone="danger">{unreachable.message}</Message>}
      {send.data && <AnswerView answer={send.data} />}
    </section>
  )
}

function AnswerView({
  answer: { statusCode, requestId, text: answerText },
}: {
  answer: RawAnswer
}) {
  const body = prettyJson(answerText)
  return (
    <div className="rounded-md border border-line">
      <div
        role="status"
        className="flex flex-wrap items-center gap-3 border-b border-line bg-chrome px-3 py-2 text-xs text-fg-muted"
      >
        <Badge tone={statusCode < 400 ? 'accent' : 'danger'}>{String(statusCode)}</Badge>
        {requestId && <span className="min-w-0 truncate">{text.requestIdText(requestId)}</span>}
        <span className="ml-auto">
          <CopyButton value={body} label={text.copyResponseLabel} />
        </span>
      </div>
      <pre
        // A scrollable region must be reachable with the keyboard.
        tabIndex={0}
        aria-label={text.responseLabel}
        role="region"
        className="max-h-96 overflow-auto rounded-b-md bg-sunken p-3 text-xs"
      >
        {body || text.emptyResponseText}
      </pre>
    </div>
  )
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Not JSON: show it unchanged.
    return text
  }
}
