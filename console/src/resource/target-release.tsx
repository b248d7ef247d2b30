import { targetReleaseUpdate, targetReleaseView } from '~/api/generated/operations'
import type { TargetRelease } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate, q } from '~/api/query'
import * as text from '~/messages/target-release'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** The target release of the system. */
export const targetRelease = q(targetReleaseView, {})

/** The version of the target release, if one is set. */
export const targetVersion = ({ releaseSource }: TargetRelease): string | undefined =>
  releaseSource.type === 'system_version' ? releaseSource.version : undefined

/** Asks for confirmation and sets the target release. */
export function confirmTarget(version: string): void {
  const set = planned(targetReleaseUpdate, { body: { systemVersion: version } })
  confirm({
    title: text.setTitle,
    body: (
      <>
        <p>{text.setQuestion(<b className="break-all">{version}</b>)}</p>
        <p>{text.setHelp}</p>
      </>
    ),
    tone: 'primary',
    confirmLabel: text.setLabel,
    calls: [set],
    action: async () => {
      await set.send()
      await invalidate(targetReleaseView)
      toast({
        content: text.setToast(version),
      })
    },
    errorTitle: text.setErrorTitle,
  })
}
