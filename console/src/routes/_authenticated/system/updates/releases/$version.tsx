import { createFileRoute } from '@tanstack/react-router'
import { CircleArrowUp, PackageOpen } from 'lucide-react'
import { useMemo } from 'react'

import { systemUpdateGetRepository, targetReleaseUpdate } from '~/api/generated/operations'
import type { TufArtifactMeta, TufRepoMeta } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { useActions } from '~/app/action-registry'
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
    crumb: [{ label: 'Updates', to: () => UPDATES_PATH }, { label: ({ version = '' }) => version }],
  },
  component: ReleasePage,
})

const Hash = ({ text }: { text: string }) => (
  <span className="min-w-0 font-mono text-xs">
    <Truncate text={text} max={20} position="middle" copy />
  </span>
)

const columns: Column<TufArtifactMeta>[] = [
  { id: 'name', header: 'name', isName: true, cell: ({ id }) => id.name },
  { id: 'version', header: 'Version', width: 140, isKey: true, cell: ({ id }) => id.version },
  {
    id: 'kind',
    header: 'Kind',
    width: 140,
    cell: ({ id }) => (
      <Badge tone="neutral" preserveCase>
        {id.kind}
      </Badge>
    ),
  },
  { id: 'size', header: 'Size', width: 110, cell: ({ size }) => <ByteSize bytes={size} /> },
  { id: 'hash', header: 'SHA-256', width: 220, cell: ({ hash }) => <Hash text={hash} /> },
]

function ReleasePage() {
  const { version } = Route.useParams()
  const { repo, artifacts } = useLoaded(view(version)).description
  const isTarget = targetVersion(useLoaded(targetRelease)) === repo.systemVersion
  const refusal = isTarget ? 'This is the target release' : undefined
  const { systemVersion } = repo
  useActions(
    useMemo(
      () => [
        {
          id: 'set-target-release',
          label: 'Set target release',
          icon: CircleArrowUp,
          disabledReason: refusal,
          needs: targetReleaseUpdate,
          perform: () => confirmTarget(systemVersion),
        },
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
          <Button
            needs={targetReleaseUpdate}
            disabledReason={refusal}
            onPress={() => confirmTarget(systemVersion)}
          >
            Set target release
          </Button>
        }
      />
      <RepositoryProperties repo={repo} isTarget={isTarget} />
      <section aria-labelledby="artifacts" className="mt-6 space-y-3">
        <h2 id="artifacts" className="text-base font-semibold">
          Artifacts
        </h2>
        <Table
          label="Artifacts"
          columns={columns}
          rows={artifacts}
          rowKey={({ id }) => `${id.kind} ${id.name} ${id.version}`}
          emptyMessage={
            <EmptyMessage
              icon={<PackageOpen />}
              title="No artifacts"
              body="The repository contains no artifacts"
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
      <PropertiesTable.Row label="Target release">
        {isTarget ? <Badge tone="accent">target</Badge> : 'no'}
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Valid until">
        <DateTime value={validUntil} />
        {validUntil.getTime() <= now && <Badge tone="notice">expired</Badge>}
      </PropertiesTable.Row>
      <PropertiesTable.Row label="File">
        <span className="min-w-0 font-mono text-xs">
          <Truncate text={repo.fileName} max={40} position="middle" copy />
        </span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label="SHA-256">
        <Hash text={repo.hash} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Targets role">{repo.targetsRoleVersion}</PropertiesTable.Row>
    </PropertiesTable>
  )
}
