import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { Globe } from 'lucide-react'

import {
  floatingIpList,
  floatingIpUpdate,
  floatingIpView,
  instanceExternalIpList,
  instanceView,
} from '~/api/generated/operations'
import type { FloatingIp } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as common from '~/messages/common'
import * as text from '~/messages/floating-ip-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { IpPoolName } from '~/resource/named-by-id'
import { projectIpPools } from '~/resource/project-ip-pools'
import { CopyButton } from '~/ui/copy-button'
import { DateTime } from '~/ui/date-time'
import { EmptyCell } from '~/ui/empty-cell'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { PropertiesTable } from '~/ui/properties-table'
import { Skeleton } from '~/ui/skeleton'

interface Params {
  project: string
  floatingIp: string
}

const view = ({ project, floatingIp }: Params) =>
  q(floatingIpView, { path: { floatingIp }, query: { project } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/_floating-ips/floating-ips/$floatingIp/edit',
)({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  staticData: { crumb: { label: crumbs.editFloatingIpLabel, titleOnly: true } },
  component: EditFloatingIp,
})

function EditFloatingIp() {
  const params = Route.useParams()
  const { project, floatingIp } = params
  const navigate = useNavigate()
  const current = useLoaded(view(params))
  const { name, description } = current
  const { control, shell } = useResourceForm({
    operation: floatingIpUpdate,
    defaultValues: { name, description },
    input: (body) => ({ path: { floatingIp }, query: { project }, body }),
    refreshes: [floatingIpList, floatingIpView, instanceExternalIpList],
    view: (changed) => view({ project, floatingIp: changed.name }),
    mayRename: true,
    leave: () => navigate({ to: '/projects/$project/floating-ips', params: { project } }),
    toast: (changed) => text.updatedToast(changed.name),
  })
  return (
    <SideModalForm
      {...shell}
      title={text.editTitle}
      submitLabel={text.updateButtonLabel}
      subject={{ icon: Globe, name: name }}
    >
      <FloatingIpProperties project={project} floatingIp={current} />
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
    </SideModalForm>
  )
}

interface FloatingIpPropertiesProps {
  project: string
  floatingIp: FloatingIp
}

function FloatingIpProperties({ project, floatingIp }: FloatingIpPropertiesProps) {
  const { id, ip, ipPoolId, instanceId, timeCreated, timeModified } = floatingIp
  const { data: pools } = useQuery(projectIpPools)
  return (
    <PropertiesTable>
      <PropertiesTable.Id id={id} />
      <PropertiesTable.Row label={common.createdLabel}>
        <DateTime value={timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={common.updatedLabel}>
        <DateTime value={timeModified} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.addressPropertyLabel}>
        <span className="font-mono text-xs">{ip}</span>
        <CopyButton value={ip} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.poolPropertyLabel}>
        <IpPoolName id={ipPoolId} pools={pools?.items ?? []} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.instanceLabel}>
        {instanceId ? (
          <AttachedInstance project={project} instanceId={instanceId} />
        ) : (
          <EmptyCell />
        )}
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}

function AttachedInstance({ project, instanceId }: { project: string; instanceId: string }) {
  const { data, error } = useQuery(
    q(instanceView, { path: { instance: instanceId } }, { allowNotFound: true }),
  )
  if (!data) return error ? <EmptyCell /> : <Skeleton />
  return (
    <Link
      to="/projects/$project/instances/$instance/networking"
      params={{ project, instance: data.name }}
      className="rounded-sm underline underline-offset-3"
    >
      {data.name}
    </Link>
  )
}
