import { createFileRoute } from '@tanstack/react-router'
import { Archive } from 'lucide-react'
import { useCallback, useState } from 'react'

import { supportBundleCreate, supportBundleList } from '~/api/generated/operations'
import type { SupportBundleInfo } from '~/api/generated/types.gen'
import { pageSearch } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/support-bundle-screens'
import { createdColumn } from '~/resource/list-columns'
import {
  bundlePage,
  bundlesInterval,
  NEWEST_FIRST,
  SupportBundleStateBadge,
} from '~/resource/support-bundle'
import { supportBundleActions } from '~/resource/support-bundle-actions'
import { supportBundleDocs } from '~/resource/support-bundle-docs'
import { SUPPORT_BUNDLES_PATH } from '~/resource/support-bundle-paths'
import { DescriptionCell } from '~/ui/description-cell'
import { LinkCell } from '~/ui/link-cell'
import { onDemand } from '~/ui/on-demand'
import { OverflowText } from '~/ui/overflow-text'
import type { Column } from '~/ui/table-column'

const CreateSupportBundle = onDemand(
  async () => (await import('~/resource/support-bundle-dialogs')).CreateSupportBundle,
)
const EditSupportBundle = onDemand(
  async () => (await import('~/resource/support-bundle-dialogs')).EditSupportBundle,
)

export const Route = createFileRoute('/_authenticated/system/support-bundles/')({
  validateSearch: pageSearch,
  loader: ({ context, location }) => load(context.queryClient, bundlePage(location.search)),
  staticData: { crumb: { label: crumbs.supportBundlesLabel } },
  component: SupportBundlesPage,
})

const list = defineList({
  operation: supportBundleList,
  params: () => NEWEST_FIRST,
  title: text.supportBundlesTitle,
  label: text.supportBundlesLabel,
  icon: Archive,
  docs: supportBundleDocs,
  create: {
    operation: supportBundleCreate,
    label: text.newSupportBundleLabel,
    dialog: (_, closing) => <CreateSupportBundle {...closing} />,
    preload: CreateSupportBundle.preload,
  },
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
    button: text.newSupportBundleLabel,
  },
})

const columns: Column<SupportBundleInfo>[] = [
  {
    id: 'id',
    header: text.idLabel,
    isName: true,
    width: 300,
    value: ({ id }) => id,
    cell: ({ id }) => (
      <LinkCell href={`${SUPPORT_BUNDLES_PATH}/${id}`}>
        <span className="font-mono text-xs">{id}</span>
      </LinkCell>
    ),
  },
  {
    id: 'state',
    filter: {},
    header: text.stateLabel,
    width: 130,
    isKey: true,
    value: ({ state }) => state,
    cell: ({ state }) => <SupportBundleStateBadge state={state} />,
  },
  {
    id: 'comment',
    header: text.commentLabel,
    width: 240,
    value: ({ userComment }) => userComment,
    cell: ({ userComment }) => <DescriptionCell text={userComment} />,
  },
  {
    id: 'reason',
    header: text.reasonLabel,
    width: 220,
    value: ({ reasonForCreation, reasonForFailure }) => reasonForFailure ?? reasonForCreation,
    cell: (bundle) => <ReasonCell {...bundle} />,
  },
  createdColumn(),
]

/** Why a bundle was created, or why it failed. */
const ReasonCell = ({ reasonForCreation, reasonForFailure }: SupportBundleInfo) =>
  reasonForFailure ? (
    <span className="block min-w-0 text-danger-text">
      <OverflowText text={reasonForFailure} />
    </span>
  ) : (
    <OverflowText text={reasonForCreation} />
  )

function SupportBundlesPage() {
  const page = useList(list, undefined, {
    refetchInterval: ({ state }) => bundlesInterval(state.data?.items),
  })
  const [edited, setEdited] = useState<SupportBundleInfo>()
  const close = useCallback(() => setEdited(undefined), [])
  const rowActions = useCallback(
    (bundle: SupportBundleInfo) =>
      menuEntries(supportBundleActions(bundle, { openEdit: setEdited })),
    [],
  )
  return (
    <ListScreen page={page} columns={columns} rowActions={rowActions}>
      {edited && <EditSupportBundle bundle={edited} onDismiss={close} onMissing={close} />}
    </ListScreen>
  )
}
