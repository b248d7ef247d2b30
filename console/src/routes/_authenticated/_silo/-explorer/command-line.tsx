import { curlCommand, prettyJson } from '~/as-code/shell'
import * as text from '~/messages/explorer-screens'
import { CodeBlock } from '~/ui/code-block'

import { callPath } from './call-text'
import type { ParameterValues } from './call-text'
import type { ApiOperation } from './openapi'

interface CommandLineProps {
  operation: ApiOperation
  values: ParameterValues
  /** An example of the body, for operations that take one. */
  example?: unknown
}

/** The command that calls an operation with these values. */
export const CommandLine = (props: CommandLineProps) => (
  <CodeBlock
    label={text.commandLabel}
    copyLabel={text.copyCommandLabel}
    value={operationCommand({ ...props, origin: window.location.origin })}
  />
)

/**
 * The text of that command.
 *
 * @param origin scheme and authority of the server.
 */
export const operationCommand = ({
  operation,
  values,
  example,
  origin,
}: CommandLineProps & { origin: string }): string =>
  curlCommand({
    method: operation.method,
    origin,
    url: callPath(operation, values),
    ...(operation.body && {
      body: { mediaType: operation.body.mediaType, text: prettyJson(example) },
    }),
  })
