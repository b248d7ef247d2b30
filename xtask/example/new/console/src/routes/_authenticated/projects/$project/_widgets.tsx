import { createFileRoute } from '@tanstack/react-router'
import { Puzzle } from 'lucide-react'
import { useCallback } from 'react'

import { widgetCreate, widgetList } from '~/api/generated/operations'
import type { Widget } from '~/api/generated/types.gen'
import { loadPage, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/widget'
import { inProject } from '~/resource/in-project'
import { descriptionColumn } from '~/resource/list-columns'
import { widgetActions } from '~/resource/widget-actions'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/projects/$project/_widgets')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, widgetList, inProject(route.params.project)),
  staticData: {
    crumb: { label: crumbs.widgetsLabel, to: ({ project }) => `/projects/${project}/widgets` },
  },
  component: WidgetsPage,
})

const list = defineList({
  operation: widgetList,
  params: inProject,
  title: text.widgetsTitle,
  label: text.widgetsLabel,
  icon: Puzzle,
  docs: {
    heading: text.docsTitle,
    summary: text.docsHelp,
    links: [{ label: text.explorerLabel, href: '/explorer?operation=widget_create' }],
  },
  create: {
    operation: widgetCreate,
    path: (project) => `/projects/${project}/widgets-new`,
    label: text.newLabel,
  },
  empty: { title: text.emptyTitle, body: text.emptyHelp, button: text.newLabel },
})

const columns: Column<Widget>[] = [
  { id: 'name', header: common.nameColumnLabel, isName: true, cell: ({ name }) => name },
  descriptionColumn(220),
  {
    id: 'size',
    header: text.sizeLabel,
    width: 110,
    isKey: true,
    cell: ({ size }) => text.sizeText(size),
  },
]

function WidgetsPage() {
  const { project } = Route.useParams()
  return (
    <ListScreen
      page={useList(list, project)}
      columns={columns}
      rowActions={useCallback((widget: Widget) => menuEntries(widgetActions(widget)), [])}
    />
  )
}
