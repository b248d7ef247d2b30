import { createFileRoute } from '@tanstack/react-router'
import { ArrowUpFromLine, Images, Trash2, Upload } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { imageCreate, imageDelete, imageList, imagePromote } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { loadPage, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import { codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as text from '~/messages/image-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import {
  deleteSeveralImages,
  deleteImage,
  promoteImage,
  promoteSeveralImages,
} from '~/resource/image-actions'
import { imageColumns } from '~/resource/image-columns'
import { imageDocs } from '~/resource/image-docs'
import { inProject } from '~/resource/in-project'
import type { MenuEntry } from '~/ui/menu'

export const Route = createFileRoute('/_authenticated/projects/$project/_images')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, imageList, inProject(route.params.project)),
  staticData: {
    crumb: { label: crumbs.imagesLabel, to: ({ project }) => `/projects/${project}/images` },
  },
  component: ProjectImages,
})

const list = defineList({
  operation: imageList,
  params: inProject,
  title: text.listTitle,
  label: text.tableLabel,
  icon: Images,
  docs: imageDocs,
  create: {
    operation: imageCreate,
    path: (project) => `/projects/${project}/images-new`,
    label: text.uploadButtonLabel,
    icon: Upload,
  },
  empty: { title: text.emptyTitle, body: text.emptyHelp },
})

const rowActions = (image: Image, project: string): MenuEntry[] => [
  {
    id: 'promote',
    label: text.promoteLabel,
    icon: ArrowUpFromLine,
    needs: imagePromote,
    onAction: () => promoteImage(image),
    several: promoteSeveralImages(image),
  },
  ...menuEntries([codeAction(image.id, { kind: 'image', id: image.id, project })]),
  {
    id: 'delete',
    label: common.deleteLabel,
    destructive: true,
    icon: Trash2,
    needs: imageDelete,
    onAction: () => deleteImage(image),
    several: deleteSeveralImages(image, project),
  },
]

function ProjectImages() {
  const { project } = Route.useParams()
  const base = `/projects/${project}`
  return (
    <ListScreen
      page={useList(list, project)}
      columns={useMemo(() => imageColumns(base), [base])}
      rowActions={useCallback((image: Image) => rowActions(image, project), [project])}
    />
  )
}
