import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'

import { RouteTabs } from '~/app/route-tabs'
import { inventoryDocs } from '~/resource/inventory-docs'
import { INVENTORY_PATH, SLEDS_PATH } from '~/resource/system-paths'
import { PageHeader } from '~/ui/page-header'

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs')({
  component: InventoryPage,
})

const tabs = [
  { label: 'Sleds', to: SLEDS_PATH },
  { label: 'Disks', to: `${INVENTORY_PATH}/disks` },
  { label: 'Switches', to: `${INVENTORY_PATH}/switches` },
  { label: 'Racks', to: `${INVENTORY_PATH}/racks` },
  { label: 'Uninitialized sleds', to: `${INVENTORY_PATH}/uninitialized-sleds` },
]

function InventoryPage() {
  return (
    <>
      <PageHeader icon={<Boxes />} title="Inventory" docs={inventoryDocs} />
      <RouteTabs label="Inventory" tabs={tabs}>
        <Outlet />
      </RouteTabs>
    </>
  )
}
