import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'

import { RouteTabs } from '~/app/route-tabs'
import * as text from '~/messages/inventory-screens'
import { inventoryDocs } from '~/resource/inventory-docs'
import { INVENTORY_PATH, SLEDS_PATH } from '~/resource/system-paths'
import { PageHeader } from '~/ui/page-header'

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs')({
  component: InventoryPage,
})

const tabs = [
  { label: text.sledsLabel, to: SLEDS_PATH },
  { label: text.disksLabel, to: `${INVENTORY_PATH}/disks` },
  { label: text.switchesLabel, to: `${INVENTORY_PATH}/switches` },
  { label: text.racksLabel, to: `${INVENTORY_PATH}/racks` },
  { label: text.uninitializedSledsLabel, to: `${INVENTORY_PATH}/uninitialized-sleds` },
]

function InventoryPage() {
  return (
    <>
      <PageHeader icon={<Boxes />} title={text.inventoryTitle} docs={inventoryDocs} />
      <RouteTabs label={text.inventoryLabel} tabs={tabs}>
        <Outlet />
      </RouteTabs>
    </>
  )
}
