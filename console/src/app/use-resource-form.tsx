import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import type { DefaultValues, FieldValues } from 'react-hook-form'

import type { Endpoint, Input, Operation, OperationData } from '~/api/operation'
import { invalidate, setCached, useApiMutation } from '~/api/query'
import type { CallOptions } from '~/api/query'
import { toast } from '~/ui/toast'

/** What a form does with what is entered. */
export interface ResourceForm<Values extends FieldValues, Data extends OperationData, Response> {
  /** The operation that sending it calls; without the right to it the form cannot be sent. */
  operation: Operation<Data, Response>
  defaultValues: DefaultValues<Values>
  /** What the operation takes for what was entered. */
  input: (values: Values) => Input<Data>
  /** The operations whose answers are stale afterwards. */
  refreshes: readonly Endpoint[]
  /** The query that shows the thing: it is given the answer, so that the next screen need not ask. */
  view?: (answer: Response) => CallOptions<Response>
  /** Leaves the form: with the answer when it was sent, without one when it was dismissed. */
  leave: (answer?: Response) => unknown
  /** What the note says when it was sent. */
  toast?: (answer: Response) => ReactNode
  /** The thing may have another name afterwards, and the old one lead nowhere: the form is left before anything is asked for again. */
  mayRename?: boolean
}

/**
 * A form that ends in one operation. Once it is sent, what it changed is asked for again, the form is left, and a note says so.
 *
 * `shell` is for `SideModalForm` or `ModalForm`, `control` for the fields.
 */
export function useResourceForm<Values extends FieldValues, Data extends OperationData, Response>(
  options: ResourceForm<Values, Data, Response>,
) {
  const { operation, defaultValues, input, refreshes, view, leave, mayRename = false } = options
  const form = useForm<Values>({ defaultValues })
  const mutation = useApiMutation(operation, {
    onSuccess: async (answer) => {
      if (view) setCached(view(answer), answer)
      if (mayRename) await leave(answer)
      await invalidate(...refreshes)
      if (!mayRename) await leave(answer)
      const content = options.toast?.(answer)
      if (content) toast({ content })
    },
  })
  return {
    control: form.control,
    shell: {
      form,
      needs: operation,
      onSubmit: (values: Values) => mutation.mutate(input(values)),
      onDismiss: () => void leave(),
      loading: mutation.isPending,
      submitError: mutation.error,
    },
  }
}
