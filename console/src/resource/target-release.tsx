import { call } from '~/api/call'
import { targetReleaseUpdate, targetReleaseView } from '~/api/generated/operations'
import type { TargetRelease } from '~/api/generated/types.gen'
import { invalidate, q } from '~/api/query'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** The release that the operators want. */
export const targetRelease = q(targetReleaseView, {})

/** The wanted version, if somebody has said one. */
export const targetVersion = ({ releaseSource }: TargetRelease): string | undefined =>
  releaseSource.type === 'system_version' ? releaseSource.version : undefined

/** Asks whether a version is to be the wanted one from now on. */
export function confirmTarget(version: string): void {
  confirm({
    title: 'Confirm set target release',
    body: (
      <>
        <p>
          Are you sure you want to make <b className="break-all">{version}</b> the target release?
        </p>
        <p>
          Records that the system should run this release. Nothing is installed or restarted.
          Releases older than this one can then no longer be set as the target.
        </p>
      </>
    ),
    tone: 'primary',
    confirmLabel: 'Set target release',
    action: async () => {
      await call(targetReleaseUpdate, { body: { systemVersion: version } })
      await invalidate(targetReleaseView)
      toast({
        content: (
          <>
            Target release is now <b>{version}</b>
          </>
        ),
      })
    },
    errorTitle: 'Could not set target release',
  })
}
