import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useMemo } from 'react'

import type { Instance } from '~/api/generated/types.gen'
import type { CallOptions } from '~/api/query'
import { load, useLoaded } from '~/api/query'
import { ActionsMenu, useActionsOf } from '~/app/actions-menu'
import { RouteTabs } from '~/app/route-tabs'
import * as text from '~/messages/instance-screens'
import {
  instanceMenuActions,
  instancePowerActions,
  refreshInstances,
} from '~/resource/instance-actions'
import type { InstanceActionContext } from '~/resource/instance-actions'
import { instanceDocs } from '~/resource/instance-docs'
import { instanceViewInterval } from '~/resource/instance-polling'
import { PowerButton } from '~/resource/instance-power-button'
import { instanceCan } from '~/resource/instance-state'
import { useInstanceResize } from '~/resource/use-instance-resize'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'
import { RefreshButton } from '~/ui/refresh-button'

import { InstanceProperties } from './-instance-properties'
import { externalIps, instanceQuery, networkInterfaces } from './-instance-queries'
import type { InstanceParams } from './-instance-queries'
import { InstanceTrouble } from './-instance-trouble'

const ScreenPanel = onDemand(async () => (await import('./-screen-panel')).ScreenPanel)

/** Like `instanceQuery`, with polling. It is separate, because the loader is part of the first bundle and does not need the intervals. */
const followedView = (params: InstanceParams): CallOptions<Instance> => ({
  ...instanceQuery(params),
  refetchInterval: ({ state: { data } }) => (data ? instanceViewInterval(data, Date.now()) : false),
})

export const Route = createFileRoute('/_authenticated/projects/$project/instances/$instance/_tabs')(
  {
    loader: ({ context: { queryClient }, params }) =>
      Promise.all([
        load(queryClient, instanceQuery(params)),
        load(queryClient, externalIps(params)),
        load(queryClient, networkInterfaces(params)),
      ]),
    component: InstancePage,
  },
)

function InstancePage() {
  const params = Route.useParams()
  const { project } = params
  const navigate = Route.useNavigate()
  const instance = useLoaded(followedView(params))
  const { openResize, resizeDialog } = useInstanceResize(project, false)

  const context = useMemo<InstanceActionContext>(
    () => ({
      project,
      openResize,
      leaveDeleted: () => navigate({ to: '/projects/$project/instances', params: { project } }),
    }),
    [project, openResize, navigate],
  )
  const power = useMemo(() => instancePowerActions(instance, context), [instance, context])
  const menu = useMemo(() => instanceMenuActions(instance, context), [instance, context])
  useActionsOf(
    text.actionsGroupLabel(instance.name),
    useMemo(() => [...power, ...menu], [power, menu]),
  )

  const base = `/projects/${project}/instances/${instance.name}`
  return (
    <>
      <PageHeader
        icon={<Server />}
        title={instance.name}
        docs={instanceDocs}
        actions={
          <>
            <RefreshButton onRefresh={refreshInstances} />
            {power.map((action) => (
              <PowerButton key={action.id} variant="ghost" action={action} />
            ))}
            <ActionsMenu label={text.actionsLabel} id={instance.id} actions={menu} />
          </>
        }
      />
      <div className="gap-x-4 xl:flex">
        <div className="min-w-0 grow">
          <InstanceProperties project={project} instance={instance} />
        </div>
        {instanceCan('serialConsole', instance) && (
          <ScreenPanel project={project} instance={instance} />
        )}
      </div>
      <InstanceTrouble project={project} instance={instance} />
      <RouteTabs
        label={text.tabsLabel}
        tabs={[
          { label: text.storageTabLabel, to: `${base}/storage` },
          { label: text.networkingTabLabel, to: `${base}/networking` },
          {
            label: text.metricsTabLabel,
            to: `${base}/metrics/cpu`,
            alsoUnder: [`${base}/metrics`],
          },
          { label: text.connectTabLabel, to: `${base}/connect` },
          { label: text.settingsTabLabel, to: `${base}/settings` },
          { label: text.activityTabLabel, to: `${base}/activity` },
        ]}
      >
        <Outlet />
      </RouteTabs>
      {resizeDialog}
    </>
  )
}
