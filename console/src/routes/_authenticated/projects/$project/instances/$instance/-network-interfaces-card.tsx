import { Network } from 'lucide-react'
import { useMemo, useState } from 'react'

import { instanceNetworkInterfaceCreate } from '~/api/generated/operations'
import type { Instance, InstanceNetworkInterface } from '~/api/generated/types.gen'
import { menuEntries } from '~/app/action-registry'
import * as common from '~/messages/common'
import * as text from '~/messages/instance-network-screens'
import { instanceRefusal } from '~/resource/instance-state'
import { SubnetName, VpcName } from '~/resource/named-by-id'
import { networkInterfaceActions } from '~/resource/network-interface-actions'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { CardBlock } from '~/ui/card-block'
import { CopyableCode } from '~/ui/copy-button'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { ListPlus } from '~/ui/list-plus'
import { onDemand } from '~/ui/on-demand'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

const AddNetworkInterface = onDemand(
  async () => (await import('./-add-network-interface')).AddNetworkInterface,
)
const EditNetworkInterface = onDemand(
  async () => (await import('./-edit-network-interface')).EditNetworkInterface,
)

const noInterfaces = (
  <EmptyMessage icon={<Network />} title={text.noInterfacesTitle} body={text.noInterfacesHelp} />
)

const columns = (project: string): Column<InstanceNetworkInterface>[] => [
  {
    id: 'name',
    header: common.nameColumnLabel,
    isName: true,
    minWidth: 150,
    cell: ({ name, primary }) => (
      <span className="flex items-center gap-2">
        <span className="truncate">{name}</span>
        {primary && <Badge>{text.primaryLabel}</Badge>}
      </span>
    ),
  },
  {
    id: 'description',
    header: common.descriptionColumnLabel,
    width: 220,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'ip',
    header: text.privateIpColumnLabel,
    width: 150,
    isKey: true,
    cell: ({ ip }) => <CopyableCode value={ip} />,
  },
  {
    id: 'vpc',
    header: text.vpcColumnLabel,
    width: 110,
    cell: ({ vpcId }) => <VpcName id={vpcId} project={project} />,
  },
  {
    id: 'subnet',
    header: text.subnetColumnLabel,
    width: 110,
    cell: ({ subnetId }) => <SubnetName id={subnetId} />,
  },
  {
    id: 'transit-ips',
    header: text.transitIpsLabel,
    width: 170,
    cell: ({ transitIps = [] }) => (
      <ListPlus title={text.otherTransitIpsTitle}>
        {transitIps.map((network) => (
          <span key={network} className="font-mono text-xs">
            {network}
          </span>
        ))}
      </ListPlus>
    ),
  },
]

interface NetworkInterfacesCardProps {
  project: string
  instance: Instance
  interfaces: readonly InstanceNetworkInterface[]
}

/** The network interfaces of an instance. */
export function NetworkInterfacesCard(props: NetworkInterfacesCardProps) {
  const { project, instance, interfaces } = props
  const [dialog, setDialog] = useState<'add' | InstanceNetworkInterface>()
  const close = () => setDialog(undefined)
  const target = { project, instance: instance.name, onDismiss: close, onMissing: close }
  const context = { project, instance, count: interfaces.length, openEdit: setDialog }
  return (
    <CardBlock
      title={text.interfacesTitle}
      actions={
        <Button
          needs={instanceNetworkInterfaceCreate}
          size="sm"
          disabledReason={instanceRefusal('addInterface', instance)}
          onPress={() => setDialog('add')}
        >
          {text.addInterfaceLabel}
        </Button>
      }
    >
      <Table
        label={text.interfacesLabel}
        columns={useMemo(() => columns(project), [project])}
        rows={interfaces}
        rowKey={({ id }) => id}
        rowActions={(nic) => menuEntries(networkInterfaceActions(nic, context))}
        emptyMessage={noInterfaces}
      />
      {dialog === 'add' && <AddNetworkInterface {...target} />}
      {dialog && dialog !== 'add' && <EditNetworkInterface {...target} nic={dialog} />}
    </CardBlock>
  )
}
