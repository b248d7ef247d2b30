import { createFileRoute } from '@tanstack/react-router'
import { CircleArrowUp, PackageOpen } from 'lucide-react'
import { useMemo } from 'react'

import { systemUpdateGetRepository, targetReleaseUpdate } from '~/api/generated/operations'
import type { TufArtifactMeta, TufRepoMeta } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { ActionsMenu } from '~/app/actions-menu'
import { codeAction } from '~/app/resource-actions'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/update-screens'
import { confirmTarget, targetRelease, targetVersion } from '~/resource/target-release'
import { updateDocs } from '~/resource/update-docs'
import { UPDATES_PATH } from '~/resource/update-paths'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { EmptyMessage } from '~/ui/empty-message'
import { PageHeader } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'
import { Truncate } from '~/ui/truncate'
import { useNow } from '~/ui/use-now'

const view = (systemVersion: string) => q(systemUpdateGetRepository, { path: { systemVersion } })

export const Route = createFileRoute('/_authenticated/system/updates/releases/$version')({
  loader: ({ context: { queryClient }, params: { version } }) =>
    Promise.all([load(queryClient, view(version)), load(queryClient, targetRelease)]),
  staticData: {
    crumb: [
      { label: crumbs.updatesLabel, to: () => UPDATES_PATH },
      { label: ({ version = '' }) => version },
    ],
  },
  component: ReleasePage,
})

const Hash = ({ text }: { text: string }) => (
  <span className="min-w-0 font-mono text-xs">
    <Truncate text={text} max={20} position="middle" copy />
  </span>
)

const columns: Column<TufArtifactMeta>[] = [
  { id: 'name', header: text.nameLabel, isName: true, cell: ({ id }) => id.name },
  {
    id: 'version',
    header: text.versionLabel,
    width: 140,
    isKey: true,
    cell: ({ id }) => id.version,
  },
  {
    id: 'kind',
    header: text.kindLabel,
    width: 140,
    cell: ({ id }) => (
      <Badge tone="neutral" preserveCase>
        {id.kind}
      </Badge>
    ),
  },
  { id: 'size', header: text.sizeLabel, width: 110, cell: ({ size }) => <ByteSize bytes={size} /> },
  { id: 'hash', header: text.sha256Label, width: 220, cell: ({ hash }) => <Hash text={hash} /> },
]

const releaseCode = (version: string) => codeAction(version, { kind: 'release', version })

function ReleasePage() {
  const { version } = Route.useParams()
  const { repo, artifacts } = useLoaded(view(version)).description
  const isTarget = targetVersion(useLoaded(targetRelease)) === repo.systemVersion
  const refusal = isTarget ? text.isTargetReleaseError : undefined
  const { systemVersion } = repo
  useActions(
    useMemo(
      () => [
        {
          id: 'set-target-release',
          label: text.setTargetReleaseLabel,
          icon: CircleArrowUp,
          disabledReason: refusal,
          needs: targetReleaseUpdate,
          perform: () => confirmTarget(systemVersion),
        },
        releaseCode(systemVersion),
      ],
      [systemVersion, refusal],
    ),
  )
  return (
    <>
      <PageHeader
        icon={<CircleArrowUp />}
        title={systemVersion}
        docs={updateDocs}
        actions={
          <>
            <Button
              needs={targetReleaseUpdate}
              disabledReason={refusal}
              onPress={() => confirmTarget(systemVersion)}
            >
              {text.setTargetReleaseLabel}
            </Button>
            <ActionsMenu label={text.releaseActionsLabel} actions={[releaseCode(systemVersion)]} />
          </>
        }
      />
      <RepositoryProperties repo={repo} isTarget={isTarget} />
      <section aria-labelledby="artifacts" className="mt-6 space-y-3">
        <h2 id="artifacts" className="text-base font-semibold">
          {text.artifactsTitle}
        </h2>
        <Table
          label={text.artifactsLabel}
          columns={columns}
          rows={artifacts}
          rowKey={({ id }) => `${id.kind} ${id.name} ${id.version}`}
          emptyMessage={
            <EmptyMessage
              icon={<PackageOpen />}
              title={text.noArtifactsTitle}
              body={text.noArtifactsHelp}
            />
          }
        />
      </section>
    </>
  )
}

function RepositoryProperties({ repo, isTarget }: { repo: TufRepoMeta; isTarget: boolean }) {
  const now = useNow()
  const validUntil = new Date(repo.validUntil)
  return (
    <PropertiesTable columns={2}>
      <PropertiesTable.Row label={text.targetReleaseLabel}>
        {isTarget ? <Badge tone="accent">{text.targetLabel}</Badge> : text.notTargetLabel}
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.validUntilLabel}>
        <DateTime value={validUntil} />
        {validUntil.getTime() <= now && <Badge tone="notice">{text.expiredLabel}</Badge>}
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.fileLabel}>
        <span className="min-w-0 font-mono text-xs">
          <Truncate text={repo.fileName} max={40} position="middle" copy />
        </span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.sha256Label}>
        <Hash text={repo.hash} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.targetsRoleLabel}>
        {repo.targetsRoleVersion}
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}
