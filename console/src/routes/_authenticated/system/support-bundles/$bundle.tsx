import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Download, Archive } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { supportBundleDownload, supportBundleView } from '~/api/generated/operations'
import type { SupportBundleInfo } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { ActionsMenu } from '~/app/actions-menu'
import { download } from '~/lib/download'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/support-bundle-screens'
import {
  archiveName,
  bundleSize,
  bundlesInterval,
  downloadRefusal,
  SupportBundleStateBadge,
} from '~/resource/support-bundle'
import { archiveUrl, supportBundleActions } from '~/resource/support-bundle-actions'
import { supportBundleDocs } from '~/resource/support-bundle-docs'
import { SUPPORT_BUNDLES_PATH } from '~/resource/support-bundle-paths'
import { Button } from '~/ui/button'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { EmptyCell } from '~/ui/empty-cell'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'

import { BundleFiles } from './-support-bundles/bundle-files'

const EditSupportBundle = onDemand(
  async () => (await import('~/resource/support-bundle-dialogs')).EditSupportBundle,
)

const view = (bundleId: string) =>
  q(
    supportBundleView,
    { path: { bundleId } },
    { refetchInterval: ({ state }) => bundlesInterval(state.data && [state.data]) },
  )

export const Route = createFileRoute('/_authenticated/system/support-bundles/$bundle')({
  loader: ({ context: { queryClient }, params: { bundle } }) => load(queryClient, view(bundle)),
  staticData: {
    crumb: [
      { label: crumbs.supportBundlesLabel, to: () => SUPPORT_BUNDLES_PATH },
      { label: ({ bundle = '' }) => bundle },
    ],
  },
  component: SupportBundlePage,
})

function SupportBundlePage() {
  const { bundle: id } = Route.useParams()
  const navigate = Route.useNavigate()
  const bundle = useLoaded(view(id))
  const [isEditing, setEditing] = useState(false)
  const close = useCallback(() => setEditing(false), [])
  const actions = useMemo(
    () =>
      supportBundleActions(bundle, {
        openEdit: () => setEditing(true),
        leave: () => navigate({ to: '/system/support-bundles' }),
      }),
    [bundle, navigate],
  )
  useActions(actions)
  return (
    <>
      <PageHeader
        icon={<Archive />}
        title={text.supportBundleTitle}
        docs={supportBundleDocs}
        actions={
          <>
            <Button
              needs={supportBundleDownload}
              variant="secondary"
              disabledReason={downloadRefusal(bundle)}
              onPress={() => download(archiveUrl(id), archiveName(id))}
            >
              <Download aria-hidden="true" />
              {text.downloadLabel}
            </Button>
            <ActionsMenu label={text.supportBundleActionsLabel} actions={actions} />
          </>
        }
      />
      {bundle.state === 'failed' && (
        <Message tone="danger" title={text.collectionFailedTitle} className="mb-4">
          {bundle.reasonForFailure ?? text.noReasonHelp}
        </Message>
      )}
      <BundleProperties bundle={bundle} />
      {bundle.state === 'active' && <BundleFiles bundleId={id} />}
      {isEditing && <EditSupportBundle bundle={bundle} onDismiss={close} onMissing={close} />}
    </>
  )
}

function BundleProperties({ bundle }: { bundle: SupportBundleInfo }) {
  return (
    <PropertiesTable columns={2}>
      <PropertiesTable.Row label={text.stateLabel}>
        <SupportBundleStateBadge state={bundle.state} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.sizeLabel}>
        {bundle.state === 'active' ? <ArchiveSize bundleId={bundle.id} /> : <EmptyCell />}
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.reasonLabel}>{bundle.reasonForCreation}</PropertiesTable.Row>
      <PropertiesTable.Row label={text.createdLabel}>
        <DateTime value={bundle.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.commentLabel}>
        {bundle.userComment ? (
          <span className="min-w-0 py-1 break-words whitespace-pre-wrap">{bundle.userComment}</span>
        ) : (
          <EmptyCell />
        )}
      </PropertiesTable.Row>
      <PropertiesTable.Id id={bundle.id} />
    </PropertiesTable>
  )
}

/** The size of the download, once the server has reported it. */
function ArchiveSize({ bundleId }: { bundleId: string }) {
  const { data, error } = useQuery(bundleSize(bundleId))
  if (error) return <span className="text-danger-text">{error.message}</span>
  return data === undefined ? <EmptyCell /> : <ByteSize bytes={data} />
}
