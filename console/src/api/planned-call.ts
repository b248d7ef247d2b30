import { call } from './call'
import type { AnyInput, Endpoint, Input, Operation, OperationData } from './operation'

/** A call that is shown before it is made. */
export interface PlannedCall<Response = unknown> {
  operation: Endpoint
  input: AnyInput
  /** Makes it. */
  send: () => Promise<Response>
}

/** A call that a question is about: once confirmed, it is sent, and until then it can be shown as code. */
export const planned = <Data extends OperationData, Response>(
  operation: Operation<Data, Response>,
  input: Input<Data>,
): PlannedCall<Response> => ({ operation, input, send: () => call(operation, input) })
