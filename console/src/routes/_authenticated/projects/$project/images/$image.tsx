import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'

import { imageView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import { projectImageActions } from '~/resource/image-actions'
import { ImagePage } from '~/resource/image-page'
import { imageThing } from '~/resource/lineage'
import { LineageCard } from '~/resource/lineage-card'
import { loadLineage } from '~/resource/lineage-queries'

interface Params {
  project: string
  image: string
}

const view = ({ project, image }: Params) => q(imageView, { path: { image }, query: { project } })

export const Route = createFileRoute('/_authenticated/projects/$project/images/$image')({
  loader: ({ context: { queryClient }, params }) =>
    Promise.all([load(queryClient, view(params)), loadLineage(queryClient, params.project)]),
  staticData: {
    crumb: [
      { label: crumbs.imagesLabel, to: ({ project }) => `/projects/${project}/images` },
      { label: ({ image = '' }) => image },
    ],
  },
  component: ProjectImagePage,
})

function ProjectImagePage() {
  const params = Route.useParams()
  const { project } = params
  const navigate = Route.useNavigate()
  const image = useLoaded(view(params))
  const actions = useMemo(
    () =>
      projectImageActions(image, project, () =>
        navigate({ to: '/projects/$project/images', params: { project } }),
      ),
    [image, project, navigate],
  )
  return (
    <ImagePage image={image} actions={actions}>
      <LineageCard project={project} thing={imageThing(image)} />
    </ImagePage>
  )
}
