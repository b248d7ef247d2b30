import { createFileRoute, notFound, Outlet } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useMemo } from 'react'

import { sledView } from '~/api/generated/operations'
import type { Sled } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { RouteTabs } from '~/app/route-tabs'
import { shortId } from '~/lib/text'
import { isUuid } from '~/lib/uuid'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { HardwareStateBadge, ProvisionPolicyBadge, SledKindBadge } from '~/resource/hardware-badges'
import { inventoryDocs } from '~/resource/inventory-docs'
import { sledActions } from '~/resource/sled-actions'
import { SLEDS_PATH } from '~/resource/system-paths'
import { Button } from '~/ui/button'
import { ByteSize } from '~/ui/byte-size'
import { PageHeader } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'
import { Truncate } from '~/ui/truncate'

const view = (sledId: string) => q(sledView, { path: { sledId } })

export const Route = createFileRoute('/_authenticated/system/inventory/sleds/$sledId')({
  loader: ({ context, params: { sledId } }) => {
    // The server would report a malformed path, which is no help to users.
    if (!isUuid(sledId)) throw notFound()
    return load(context.queryClient, view(sledId))
  },
  staticData: {
    crumb: [
      { label: crumbs.sledsLabel, to: () => SLEDS_PATH },
      {
        label: ({ sledId = '' }) => shortId(sledId),
        to: ({ sledId }) => `${SLEDS_PATH}/${sledId}/instances`,
      },
    ],
  },
  component: SledPage,
})

function SledPage() {
  const { sledId } = Route.useParams()
  const sled = useLoaded(view(sledId))
  const actions = useMemo(() => sledActions(sled), [sled])
  useActions(actions)
  return (
    <>
      <PageHeader
        icon={<Server />}
        title={text.sledTitle}
        docs={inventoryDocs}
        actions={actions.map(({ id, label, needs, disabledReason, perform, icon: Icon }) => (
          <Button
            key={id}
            variant="secondary"
            needs={needs ?? null}
            disabledReason={disabledReason}
            onPress={perform}
          >
            {Icon && <Icon aria-hidden="true" />}
            {label}
          </Button>
        ))}
      />
      <SledProperties sled={sled} />
      <RouteTabs
        label={text.sledLabel}
        tabs={[
          { label: text.instancesLabel, to: `${SLEDS_PATH}/${sledId}/instances` },
          { label: text.disksLabel, to: `${SLEDS_PATH}/${sledId}/disks` },
        ]}
      >
        <Outlet />
      </RouteTabs>
    </>
  )
}

const Id = ({ text }: { text: string }) => (
  <span className="min-w-0 font-mono text-xs">
    <Truncate text={text} max={32} position="middle" copy />
  </span>
)

function SledProperties({ sled }: { sled: Sled }) {
  const { id, baseboard, policy, rackId } = sled
  return (
    <PropertiesTable columns={2} className="mb-6">
      <PropertiesTable.Row label={text.sledIdLabel}>
        <Id text={id} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.policyKindLabel}>
        <SledKindBadge policy={policy} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.partLabel}>{baseboard.part}</PropertiesTable.Row>
      <PropertiesTable.Row label={text.sledProvisionPolicyLabel}>
        <ProvisionPolicyBadge policy={policy} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.serialLabel}>{baseboard.serial}</PropertiesTable.Row>
      <PropertiesTable.Row label={text.stateLabel}>
        <HardwareStateBadge state={sled.state} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.revisionLabel}>{baseboard.revision}</PropertiesTable.Row>
      <PropertiesTable.Row label={text.usableHardwareThreadsLabel}>
        <span className="tabular">{sled.usableHardwareThreads}</span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.rackIdLabel}>
        <Id text={rackId} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.usablePhysicalRamLabel}>
        <ByteSize bytes={sled.usablePhysicalRam} />
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}
