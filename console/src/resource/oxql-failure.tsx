import type { ProcessedError } from '~/api/errors'
import * as text from '~/messages/oxql'
import { oxqlErrorPlace } from '~/resource/oxql-error'
import { CopyButton } from '~/ui/copy-button'
import { Message } from '~/ui/message'

interface OxqlFailureProps {
  id: string
  query: string
  error: ProcessedError
}

/** Shows why a query failed. For a syntax error it shows the line with a mark at the position. */
export function OxqlFailure({ id, query, error }: OxqlFailureProps) {
  const place = oxqlErrorPlace(query, error.message)
  const line = query.trimStart().split('\n')[(place?.line ?? 0) - 1]
  // The mark in the message is for an excerpt. Here it is below the whole line.
  const expected = /Expected: [^]*$/.exec(error.message)?.[0]
  return (
    <div id={id}>
      <Message
        tone="danger"
        title={place ? text.errorPlaceTitle(place.line, place.column) : text.failedTitle}
      >
        {place && line !== undefined ? (
          <>
            <pre
              role="region"
              aria-label={text.errorPositionLabel}
              // A scrollable region has to be reachable by keyboard.
              tabIndex={0}
              className="my-1.5 overflow-x-auto font-mono text-xs leading-5"
            >
              {line}
              {'\n'}
              {' '.repeat(place.column - 1)}^
            </pre>
            <p className="whitespace-pre-wrap">{expected ?? error.message}</p>
          </>
        ) : (
          <p className="whitespace-pre-wrap">{error.message}</p>
        )}
        {error.requestId && error.statusCode !== 400 && (
          <p className="mt-1 flex items-center gap-1 text-xs">
            {text.requestIdText(<code>{error.requestId}</code>)}{' '}
            <CopyButton value={error.requestId} />
          </p>
        )}
      </Message>
    </div>
  )
}
