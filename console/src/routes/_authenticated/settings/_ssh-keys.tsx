import { createFileRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { Copy, Eye, KeyRound, Trash2 } from 'lucide-react'

import {
  currentUserSshKeyCreate,
  currentUserSshKeyDelete,
  currentUserSshKeyList,
  currentUserSshKeyView,
} from '~/api/generated/operations'
import type { SshKey } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load, q, setCached } from '~/api/query'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import { NewLink } from '~/app/new-link'
import { copyText } from '~/lib/clipboard'
import { deleteSshKey } from '~/resource/ssh-key-delete'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'
import type { Column } from '~/ui/table-column'

const noKeys = (
  <EmptyMessage
    icon={<KeyRound />}
    title="No SSH keys"
    body="Add an SSH key to see it here"
    action={
      <ButtonLink
        needs={currentUserSshKeyCreate}
        to="/settings/ssh-keys-new"
        variant="secondary"
        size="sm"
      >
        Add SSH key
      </ButtonLink>
    }
  />
)

const docs: PageDocs = {
  heading: 'SSH keys',
  summary:
    'An SSH key gives you access to your instances. Keys are copied to an instance when it is created. Keys that you add later are not.',
  links: [
    {
      label: 'SSH keys in the API explorer',
      href: '/explorer?operation=current_user_ssh_key_create',
    },
  ],
}

export const Route = createFileRoute('/_authenticated/settings/_ssh-keys')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(currentUserSshKeyList, {}, location.search)),
  staticData: { crumb: { label: 'SSH Keys', to: () => '/settings/ssh-keys' } },
  component: SshKeysPage,
})

const columns: Column<SshKey>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ name }) => <LinkCell href={`/settings/ssh-keys/${name}/edit`}>{name}</LinkCell>,
    isName: true,
  },
  {
    id: 'description',
    header: 'description',
    cell: ({ description }) => <DescriptionCell text={description} />,
    width: 320,
  },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime value={timeCreated} /> },
]

function SshKeysPage() {
  const navigate = useNavigate()
  const page = useListPage(currentUserSshKeyList, {})

  const rowActions = (key: SshKey) => [
    {
      id: 'copy-public-key',
      label: 'Copy public key',
      icon: Copy,
      needs: null,
      onAction: () => void copyText(key.publicKey),
    },
    {
      id: 'view',
      label: 'View',
      icon: Eye,
      needs: null,
      onAction: () => {
        const path = { sshKey: key.name }
        setCached(q(currentUserSshKeyView, { path }), key)
        void navigate({ to: '/settings/ssh-keys/$sshKey/edit', params: path })
      },
    },
    {
      id: 'delete',
      label: 'Delete',
      destructive: true,
      icon: Trash2,
      needs: currentUserSshKeyDelete,
      onAction: () => deleteSshKey(key),
    },
  ]

  return (
    <>
      <PageHeader
        icon={<KeyRound />}
        title="SSH Keys"
        docs={docs}
        actions={
          <NewLink needs={currentUserSshKeyCreate} to="/settings/ssh-keys-new">
            Add SSH key
          </NewLink>
        }
      />
      <ListTable
        label="SSH keys"
        page={page}
        columns={columns}
        rowActions={rowActions}
        empty={noKeys}
      />
      <Outlet />
    </>
  )
}
