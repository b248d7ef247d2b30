import { useNavigate } from '@tanstack/react-router'
import { Search, Upload } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { Link } from 'react-aria-components/Link'

import {
  systemUpdateGetRepository,
  systemUpdatePutRepository,
  systemUpdateTrustRootList,
} from '~/api/generated/operations'
import { useListPage } from '~/api/list'
import { useLoaded } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { targetRelease, targetVersion } from '~/resource/target-release'
import { releasePath } from '~/resource/update-paths'
import { Button } from '~/ui/button'
import { CardBlock } from '~/ui/card-block'
import { DateTime } from '~/ui/date-time'
import { EmptyCell } from '~/ui/empty-cell'
import { onDemand } from '~/ui/on-demand'
import { PropertiesTable } from '~/ui/properties-table'

const UploadRepository = onDemand(
  async () => (await import('./upload-repository')).UploadRepository,
)
const FindRelease = onDemand(async () => (await import('./find-release')).FindRelease)

/** The release that is wanted, and the ways to the others. */
export function ReleasesTab() {
  const navigate = useNavigate()
  const { items: roots } = useListPage(systemUpdateTrustRootList, {})
  const [open, setOpen] = useState<'upload' | 'find'>()
  const close = useCallback(() => setOpen(undefined), [])
  const upload = useCallback(() => setOpen('upload'), [])
  const find = useCallback(() => setOpen('find'), [])
  const refusal =
    roots.length === 0
      ? 'Add a trust root first, so that the repository can be verified'
      : undefined
  const show = (version: string) =>
    void navigate({ to: '/system/updates/releases/$version', params: { version } })

  useActions(
    useMemo(
      () => [
        {
          id: 'upload-repository',
          label: 'Upload repository',
          icon: Upload,
          shortcut: 'n',
          disabledReason: refusal,
          needs: systemUpdatePutRepository,
          perform: upload,
        },
        {
          id: 'find-release',
          label: 'Find release',
          icon: Search,
          needs: systemUpdateGetRepository,
          perform: find,
        },
      ],
      [upload, find, refusal],
    ),
  )
  return (
    <div className="space-y-5">
      <TargetReleaseCard />
      <CardBlock
        title="Repositories"
        description="Each repository contains one release. The API does not list repositories, so find a release by its version."
        actions={
          <>
            <Button
              needs={systemUpdateGetRepository}
              size="sm"
              variant="secondary"
              onHoverStart={FindRelease.preload}
              onPress={find}
            >
              <Search aria-hidden="true" />
              Find release
            </Button>
            <Button
              needs={systemUpdatePutRepository}
              size="sm"
              disabledReason={refusal}
              onHoverStart={UploadRepository.preload}
              onPress={upload}
            >
              <Upload aria-hidden="true" />
              Upload repository
            </Button>
          </>
        }
      />
      {open === 'upload' && (
        <UploadRepository onDismiss={close} onMissing={close} onUploaded={show} />
      )}
      {open === 'find' && <FindRelease onDismiss={close} onMissing={close} onFound={show} />}
    </div>
  )
}

function TargetReleaseCard() {
  const target = useLoaded(targetRelease)
  const version = targetVersion(target)
  return (
    <CardBlock
      title="Target release"
      description="The release that the system should run. Nothing is installed automatically."
    >
      <PropertiesTable>
        <PropertiesTable.Row label="Version">
          {version === undefined ? (
            <span className="text-fg-muted">Not set</span>
          ) : (
            <Link
              href={releasePath(version)}
              className="rounded-sm font-mono text-xs break-all underline decoration-line-strong underline-offset-3 hover:decoration-current"
            >
              {version}
            </Link>
          )}
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Set on">
          {version === undefined ? <EmptyCell /> : <DateTime value={target.timeRequested} />}
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Generation">{target.generation}</PropertiesTable.Row>
      </PropertiesTable>
    </CardBlock>
  )
}
