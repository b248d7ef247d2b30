import { createFileRoute } from '@tanstack/react-router'
import { Puzzle } from 'lucide-react'
import { useCallback } from 'react'

import { widgetCreate, widgetList } from '~/api/generated/operations'
import type { Widget } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as text from '~/messages/widget'
import { widgetActions } from '~/resource/widget-actions'
import { DescriptionCell } from '~/ui/description-cell'
import type { Column } from '~/ui/table-column'

const params = (project: string) => ({ query: { project } })

export const Route = createFileRoute('/_authenticated/projects/$project/_widgets')({
  validateSearch: pageSearch,
  loader: ({ context: { queryClient }, params: { project }, location }) =>
    load(queryClient, listPage(widgetList, params(project), location.search)),
  staticData: {
    crumb: { label: text.widgetsLabel, to: ({ project }) => `/projects/${project}/widgets` },
  },
  component: WidgetsPage,
})

const list = defineList({
  operation: widgetList,
  params,
  title: text.widgetsTitle,
  label: text.widgetsLabel,
  icon: Puzzle,
  docs: {
    heading: text.docsLabel,
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
  { id: 'name', header: text.nameLabel, isName: true, cell: ({ name }) => name },
  {
    id: 'description',
    header: text.descriptionLabel,
    width: 220,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
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
  const page = useList(list, project)
  return (
    <ListScreen
      list={list}
      place={project}
      page={page}
      columns={columns}
      rowActions={useCallback((widget: Widget) => menuEntries(widgetActions(widget)), [])}
    />
  )
}
