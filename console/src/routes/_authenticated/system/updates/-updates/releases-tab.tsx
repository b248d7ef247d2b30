import { useNavigate } from '@tanstack/react-router'
import { Search, Upload } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import {
  systemUpdateGetRepository,
  systemUpdatePutRepository,
  systemUpdateTrustRootList,
} from '~/api/generated/operations'
import { useListPage } from '~/api/list'
import { useLoaded } from '~/api/query'
import { useActions } from '~/app/action-registry'
import * as text from '~/messages/update-screens'
import { targetRelease, targetVersion } from '~/resource/target-release'
import { releasePath } from '~/resource/update-paths'
import { Button } from '~/ui/button'
import { CardBlock } from '~/ui/card-block'
import { DateTime } from '~/ui/date-time'
import { EmptyCell } from '~/ui/empty-cell'
import { Link } from '~/ui/link'
import { onDemand } from '~/ui/on-demand'
import { PropertiesTable } from '~/ui/properties-table'

const UploadRepository = onDemand(
  async () => (await import('./upload-repository')).UploadRepository,
)
const FindRelease = onDemand(async () => (await import('./find-release')).FindRelease)

/** The target release, and how to upload or find other releases. */
export function ReleasesTab() {
  const navigate = useNavigate()
  const { items: roots } = useListPage(systemUpdateTrustRootList, {})
  const [open, setOpen] = useState<'upload' | 'find'>()
  const close = useCallback(() => setOpen(undefined), [])
  const upload = useCallback(() => setOpen('upload'), [])
  const find = useCallback(() => setOpen('find'), [])
  const refusal = roots.length === 0 ? text.noTrustRootError : undefined
  const show = (version: string) =>
    void navigate({ to: '/system/updates/releases/$version', params: { version } })

  useActions(
    useMemo(
      () => [
        {
          id: 'upload-repository',
          label: text.uploadRepositoryLabel,
          icon: Upload,
          shortcut: 'n',
          disabledReason: refusal,
          needs: systemUpdatePutRepository,
          perform: upload,
        },
        {
          id: 'find-release',
          label: text.findReleaseLabel,
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
        title={text.repositoriesTitle}
        description={text.repositoriesHelp}
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
              {text.findReleaseLabel}
            </Button>
            <Button
              needs={systemUpdatePutRepository}
              size="sm"
              disabledReason={refusal}
              onHoverStart={UploadRepository.preload}
              onPress={upload}
            >
              <Upload aria-hidden="true" />
              {text.uploadRepositoryLabel}
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
    <CardBlock title={text.targetReleaseTitle} description={text.targetReleaseHelp}>
      <PropertiesTable>
        <PropertiesTable.Row label={text.versionLabel}>
          {version === undefined ? (
            <span className="text-fg-muted">{text.noTargetReleaseText}</span>
          ) : (
            <Link
              href={releasePath(version)}
              className="rounded-sm font-mono text-xs break-all underline decoration-line-strong underline-offset-3 hover:decoration-current"
            >
              {version}
            </Link>
          )}
        </PropertiesTable.Row>
        <PropertiesTable.Row label={text.setOnLabel}>
          {version === undefined ? <EmptyCell /> : <DateTime value={target.timeRequested} />}
        </PropertiesTable.Row>
        <PropertiesTable.Row label={text.generationLabel}>{target.generation}</PropertiesTable.Row>
      </PropertiesTable>
    </CardBlock>
  )
}
