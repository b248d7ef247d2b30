import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { Cloud, Trash2 } from 'lucide-react'

import { siloCreate, siloDelete, siloList, siloView } from '~/api/generated/operations'
import type { Silo } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { q } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import { activityAction, codeAction } from '~/app/resource-actions'
import { RightsOn } from '~/app/rights-on'
import { useSession } from '~/app/session'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/silo-screens'
import { labelsAction } from '~/resource/labels-action'
import { createdColumn, descriptionColumn, nameColumn } from '~/resource/list-columns'
import { deleteSilo } from '~/resource/silo-actions'
import { siloDocs } from '~/resource/silo-docs'
import { IdentityModeBadge } from '~/resource/silo-identity-mode'
import { BooleanCell } from '~/ui/boolean-cell'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/system/_silos')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, siloList, {}),
  staticData: { crumb: { label: crumbs.silosLabel, to: () => '/system/silos' } },
  component: SilosPage,
})

const list = defineList({
  operation: siloList,
  params: noParams,
  labels: () => ({ kind: 'silo', path: '/system/silos' }),
  title: text.silosTitle,
  label: text.silosLabel,
  icon: Cloud,
  docs: siloDocs,
  create: { operation: siloCreate, path: () => '/system/silos-new', label: text.newSiloLabel },
  empty: { title: text.emptyTitle, body: text.emptyHelp, button: text.newSiloLabel },
  goTo: { group: text.goToSiloLabel, icon: Cloud, path: ({ name }) => `/system/silos/${name}` },
})

const columns: Column<Silo>[] = [
  nameColumn(({ name }) => `/system/silos/${name}`),
  descriptionColumn(240),
  {
    id: 'discoverable',
    filter: { by: 'yesOrNo' },
    header: text.discoverableColumnLabel,
    value: ({ discoverable }) => discoverable,
    cell: ({ discoverable }) => <BooleanCell value={discoverable} />,
    width: 120,
  },
  {
    id: 'identity-mode',
    filter: {},
    header: text.identityModeLabel,
    value: ({ identityMode }) => identityMode,
    cell: ({ identityMode }) => <IdentityModeBadge mode={identityMode} />,
    width: 130,
    isKey: true,
  },
  createdColumn(170),
]

const rowActions = (silo: Silo) => [
  ...menuEntries([
    labelsAction({ kind: 'silo', ...silo }, siloDelete),
    activityAction({ kind: 'silo', ...silo }),
    codeAction(silo.id, { kind: 'silo', name: silo.name }),
  ]),
  {
    id: 'delete',
    label: common.deleteLabel,
    destructive: true,
    icon: Trash2,
    needs: siloDelete,
    onAction: () => deleteSilo(silo),
  },
]

function SilosPage() {
  return (
    <ListScreen
      page={useList(list)}
      columns={columns}
      rowActions={rowActions}
      aroundRowMenu={({ name }, menu) => (
        <RightsOn object={{ on: 'silo', silo: name }}>{menu}</RightsOn>
      )}
    >
      <OwnSilo />
    </ListScreen>
  )
}

/** A link to the user's own silo if the list omits it because it is not discoverable. */
function OwnSilo() {
  const { siloId } = useSession().me
  const { data: silo } = useQuery(q(siloView, { path: { silo: siloId } }))
  if (!silo || silo.discoverable) return null
  return (
    <p className="mt-3 text-sm text-fg-muted">
      {text.ownSiloText(
        <Link to="/system/silos/$silo" params={{ silo: silo.name }} className="text-fg underline">
          {silo.name}
        </Link>,
      )}
    </p>
  )
}
