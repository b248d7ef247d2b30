import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Copy, Ellipsis, Server } from 'lucide-react'
import { useMemo } from 'react'

import { instanceView } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { menuEntries, useActions } from '~/app/action-registry'
import type { Action } from '~/app/action-registry'
import { RouteTabs } from '~/app/route-tabs'
import { copyText } from '~/lib/clipboard'
import * as text from '~/messages/instance-screens'
import * as shared from '~/messages/project-screens'
import {
  instanceMenuActions,
  instancePowerActions,
  refreshInstances,
} from '~/resource/instance-actions'
import type { InstanceActionContext } from '~/resource/instance-actions'
import { instanceDocs } from '~/resource/instance-docs'
import { instanceViewInterval } from '~/resource/instance-polling'
import { useInstanceResize } from '~/resource/use-instance-resize'
import { Button } from '~/ui/button'
import { buttonClass } from '~/ui/button-class'
import { MenuButton } from '~/ui/menu'
import { PageHeader } from '~/ui/page-header'
import { RefreshButton } from '~/ui/refresh-button'

import { externalIps, networkInterfaces } from './-instance-network'
import type { InstanceParams } from './-instance-network'
import { InstanceProperties } from './-instance-properties'
import { InstanceTrouble } from './-instance-trouble'

const target = ({ project, instance }: InstanceParams) => ({
  path: { instance },
  query: { project },
})

const view = (params: InstanceParams) => q(instanceView, target(params))

/** Like `view`, with polling. It is separate, because the loader is part of the first bundle and does not need the intervals. */
const followedView = (params: InstanceParams) =>
  q(instanceView, target(params), {
    refetchInterval: ({ state: { data } }) =>
      data ? instanceViewInterval(data, Date.now()) : false,
  })

export const Route = createFileRoute('/_authenticated/projects/$project/instances/$instance/_tabs')(
  {
    loader: ({ context: { queryClient }, params }) =>
      Promise.all([
        load(queryClient, view(params)),
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
  useActions(useMemo(() => forPalette([...power, ...menu], instance), [power, menu, instance]))

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
              <PowerButton key={action.id} action={action} />
            ))}
            <MenuButton
              label={text.actionsLabel}
              className={buttonClass({ variant: 'secondary', size: 'icon' })}
              trigger={<Ellipsis aria-hidden="true" />}
              items={[
                {
                  id: 'copy-id',
                  label: shared.copyIdLabel,
                  icon: Copy,
                  needs: null,
                  onAction: () => void copyText(instance.id),
                },
                ...menuEntries(menu),
              ]}
            />
          </>
        }
      />
      <InstanceProperties project={project} instance={instance} />
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

function PowerButton({
  action: { label, icon: Icon, needs, disabledReason, perform },
}: {
  action: Action
}) {
  return (
    <Button variant="ghost" needs={needs ?? null} disabledReason={disabledReason} onPress={perform}>
      {Icon && <Icon aria-hidden="true" />}
      {label}
    </Button>
  )
}

/** In the palette the actions name the instance, because there is no row or header that does. */
const forPalette = (actions: readonly Action[], { name }: Instance): Action[] =>
  actions.map((action) => ({ ...action, group: text.actionsGroupLabel(name) }))
