import { callForOutcome } from '~/api/call'
import { instanceStart } from '~/api/generated/operations'
import type { Instance, InstanceCreate } from '~/api/generated/types.gen'
import * as text from '~/messages/instance'
import type { ToastOptions } from '~/ui/toast'

/**
 * Why a new instance could not be started, if so. The creation succeeds in this case and gives no reason, so the start is repeated to get
 * the error.
 */
export async function startFailure(
  { name, runState }: Instance,
  { start }: InstanceCreate,
  project: string,
): Promise<string | undefined> {
  if (!start || runState !== 'stopped') return undefined
  const again = await callForOutcome(instanceStart, {
    path: { instance: name },
    query: { project },
  })
  return again.type === 'error' ? again.data.message : undefined
}

/** The toast about a new instance. */
export function createdToast(name: string, failure: string | undefined): ToastOptions {
  if (failure === undefined) {
    return {
      content: text.createdToast(name),
    }
  }
  return {
    variant: 'error',
    title: text.notStartedErrorTitle,
    content: text.notStartedToast(name, failure),
  }
}
