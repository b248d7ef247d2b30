import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import type { DefaultValues, FieldValues } from 'react-hook-form'

import type { Endpoint, Input, Operation, OperationData } from '~/api/operation'
import { invalidate, setCached, useApiMutation } from '~/api/query'
import type { CallOptions } from '~/api/query'
import { toast } from '~/ui/toast'

/** What a form submits, and what happens then. */
export interface ResourceForm<Values extends FieldValues, Data extends OperationData, Response> {
  /** The operation that submitting calls. Without the right to it, the form cannot be submitted. */
  operation: Operation<Data, Response>
  defaultValues: DefaultValues<Values>
  /** Converts the values of the form to the input of the operation. */
  input: (values: Values) => Input<Data>
  /** The operations to refetch afterwards. */
  refreshes: readonly Endpoint[]
  /** The query for the object. The answer is put into the cache, so that the next screen does not fetch it. */
  view?: (answer: Response) => CallOptions<Response>
  /** Leaves the form: with the answer after success, without one when the form is dismissed. */
  leave: (answer?: Response) => unknown
  /** Content of the toast after success. */
  toast?: (answer: Response) => ReactNode
  /** The object may be renamed. The form is then left before the refetch, because the old name is no longer found. */
  mayRename?: boolean
}

/**
 * A form for one operation. After success, it refetches what changed, leaves the form and shows a toast.
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
      calls: (values: Values) => [{ operation, input: input(values) }],
    },
  }
}
