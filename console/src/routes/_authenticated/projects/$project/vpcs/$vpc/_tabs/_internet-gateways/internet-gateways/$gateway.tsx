import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DoorOpen } from 'lucide-react'
import { useId } from 'react'
import type { ReactNode } from 'react'

import { internetGatewayView } from '~/api/generated/operations'
import type { InternetGatewayIpAddress, InternetGatewayIpPool } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import * as common from '~/messages/common'
import * as text from '~/messages/internet-gateway-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { ExternalIpLink } from '~/resource/external-ip-link'
import { IpPoolName } from '~/resource/named-by-id'
import { routerPath } from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'
import { gatewayAddresses, gatewayPools, knownPools, vpcRouters } from '~/resource/vpc-queries'
import { routesToGateway, useRoutes } from '~/resource/vpc-routes'
import type { RouteOfVpc } from '~/resource/vpc-routes'
import { DescriptionCell } from '~/ui/description-cell'
import { LinkCell } from '~/ui/link-cell'
import { Message } from '~/ui/message'
import { PropertiesTable } from '~/ui/properties-table'
import { SideModal } from '~/ui/side-modal'
import { Skeleton } from '~/ui/skeleton'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

const view = ({ project, vpc, gateway }: VpcParams & { gateway: string }) =>
  q(internetGatewayView, { path: { gateway }, query: { project, vpc } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_internet-gateways/internet-gateways/$gateway',
)({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  staticData: { crumb: { label: crumbs.editInternetGatewayLabel, titleOnly: true } },
  component: ViewGateway,
})

function ViewGateway() {
  const params = Route.useParams()
  const { project, vpc: vpcName } = params
  const vpc = { project, vpc: vpcName }
  const navigate = Route.useNavigate()
  const gateway = useLoaded(view(params))
  const pools = useQuery(gatewayPools(vpc, params.gateway)).data?.items
  const addresses = useQuery(gatewayAddresses(vpc, params.gateway)).data?.items
  const routes = useRoutes(vpc, useLoaded(vpcRouters(vpc)).items)
  return (
    <SideModal
      title={text.viewTitle}
      subject={{ icon: DoorOpen, name: gateway.name }}
      isDirty={false}
      onDismiss={() =>
        void navigate({ to: '/projects/$project/vpcs/$vpc/internet-gateways', params: vpc })
      }
    >
      <div className="flex flex-col gap-6">
        <Message>{text.viewText}</Message>
        <PropertiesTable>
          <PropertiesTable.Row label={common.nameLabel}>{gateway.name}</PropertiesTable.Row>
          <PropertiesTable.Row label={common.descriptionLabel}>
            <DescriptionCell text={gateway.description} />
          </PropertiesTable.Row>
          <PropertiesTable.Id id={gateway.id} />
        </PropertiesTable>
        {addresses && pools ? (
          <>
            <Addresses addresses={addresses} hasPool={pools.length > 0} />
            <Pools attached={pools} />
          </>
        ) : (
          <Skeleton className="h-24 w-full" />
        )}
        {routes && <RoutesToGateway vpc={vpc} routes={routesToGateway(routes, gateway.name)} />}
      </div>
    </SideModal>
  )
}

interface SectionProps {
  title: string
  /** Shown if the section is empty. */
  none?: string | false
  children: ReactNode
}

function Section({ title, none, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 border-t border-line pt-5">
      <h3 id={id} className="text-base font-semibold">
        {title}
      </h3>
      {none ? <p className="text-sm text-pretty text-fg-muted">{none}</p> : children}
    </section>
  )
}

interface AddressesProps {
  addresses: readonly InternetGatewayIpAddress[]
  hasPool: boolean
}

function Addresses({ addresses, hasPool }: AddressesProps) {
  return (
    <Section
      title={text.addressesTitle(addresses.length)}
      none={addresses.length === 0 && withoutAddress(hasPool)}
    >
      {addresses.map(({ id, name, description, address }) => (
        <PropertiesTable key={id}>
          <PropertiesTable.Row label={common.nameLabel}>{name}</PropertiesTable.Row>
          <PropertiesTable.Row label={common.descriptionLabel}>
            <DescriptionCell text={description} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.addressLabel}>
            <ExternalIpLink ip={address} />
          </PropertiesTable.Row>
        </PropertiesTable>
      ))}
    </Section>
  )
}

const withoutAddress = (hasPool: boolean) =>
  hasPool ? text.poolAddressText : text.nothingAttachedText

function Pools({ attached }: { attached: readonly InternetGatewayIpPool[] }) {
  const known = useQuery(knownPools)
  return (
    <Section
      title={text.poolsTitle(attached.length)}
      none={attached.length === 0 && text.noPoolText}
    >
      {attached.map(({ id, name, description, ipPoolId }) => (
        <PropertiesTable key={id}>
          <PropertiesTable.Row label={common.nameLabel}>{name}</PropertiesTable.Row>
          <PropertiesTable.Row label={common.descriptionLabel}>
            <DescriptionCell text={description} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.poolNameLabel}>
            {known.isPending ? (
              <Skeleton />
            ) : (
              <IpPoolName id={ipPoolId} pools={known.data?.items ?? []} />
            )}
          </PropertiesTable.Row>
        </PropertiesTable>
      ))}
    </Section>
  )
}

function RoutesToGateway({ vpc, routes }: { vpc: VpcParams; routes: readonly RouteOfVpc[] }) {
  const columns: Column<RouteOfVpc>[] = [
    {
      id: 'router',
      header: text.routerColumnLabel,
      isName: true,
      cell: ({ router: { name } }) => <LinkCell href={routerPath(vpc, name)}>{name}</LinkCell>,
    },
    { id: 'route', header: text.routeColumnLabel, cell: ({ route: { name } }) => name },
  ]
  return (
    <Section title={text.routesTitle}>
      <Table
        label={text.routesLabel}
        columns={columns}
        rows={routes}
        rowKey={({ route: { id } }) => id}
        emptyMessage={<p className="text-sm text-fg-muted">{text.noRoutesText}</p>}
      />
    </Section>
  )
}
