import { callForOutcome } from '~/api/call'
import { instanceStart } from '~/api/generated/operations'
import type { Instance, InstanceCreate } from '~/api/generated/types.gen'
import * as text from '~/messages/instance'
import type { ToastOptions } from '~/ui/toast'

/**
 * Why a new instance that was to start did not, if so. Its creation does not fail for it and gives no reason, so it is asked to start once
 * more, which does.
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

/** What is said of an instance that was made. */
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
