import { createFileRoute } from '@tanstack/react-router'
import { Images, Upload } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { imageCreate, imageList, imageSearch } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { loadPage, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as shared from '~/messages/image'
import * as text from '~/messages/image-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { projectImageActions, viewImageAction } from '~/resource/image-actions'
import { imageColumns } from '~/resource/image-columns'
import { imageDocs } from '~/resource/image-docs'
import { inProject } from '~/resource/in-project'

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
  found: imageSearch,
  params: inProject,
  labels: (project) => ({ kind: 'image', project, path: `/projects/${project}/images` }),
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
  goTo: {
    group: shared.goToImageLabel,
    icon: Images,
    path: ({ name }, project) => imagePath(project, name),
  },
})

const imagePath = (project: string, name: string) => `/projects/${project}/images/${name}`

function ProjectImages() {
  const { project } = Route.useParams()
  const base = `/projects/${project}`
  return (
    <ListScreen
      page={useList(list, project)}
      columns={useMemo(() => imageColumns(base), [base])}
      rowActions={useCallback(
        (image: Image) =>
          menuEntries([
            viewImageAction(image, imagePath(project, image.name)),
            ...projectImageActions(image, project),
          ]),
        [project],
      )}
    />
  )
}
