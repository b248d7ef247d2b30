import { call } from '~/api/call'
import type { Input, Operation, OperationData } from '~/api/operation'

import type { Call } from './call'
import { Names } from './names'
import { callOf } from './remake'

/** What exists, as calls. */
export interface Existing {
  /** The call that shows it, and those that would make it again. */
  calls: Call[]
  /** Its id, if Terraform can take it over by that. */
  id?: string
}

/** Reads something, and says how to make it again. */
export async function read<Data extends OperationData, Response>(
  operation: Operation<Data, Response>,
  input: Input<Data>,
  make: (answer: Response, names: Names) => Call | Call[] | Promise<Call | Call[]>,
): Promise<Existing> {
  const answer = await call(operation, input)
  const made = await make(answer, new Names())
  return {
    calls: [callOf(operation, input), ...(Array.isArray(made) ? made : [made])],
    ...(typeof answer === 'object' && answer && 'id' in answer && { id: String(answer.id) }),
  }
}
