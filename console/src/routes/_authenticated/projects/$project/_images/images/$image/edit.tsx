import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { imageView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import { ImageViewForm } from '~/resource/image-view-form'

const view = ({ project, image }: { project: string; image: string }) =>
  q(imageView, { path: { image }, query: { project } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/_images/images/$image/edit',
)({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  staticData: { crumb: { label: crumbs.editImageLabel, titleOnly: true } },
  component: ProjectImage,
})

function ProjectImage() {
  const params = Route.useParams()
  const { project } = params
  const navigate = useNavigate()
  const image = useLoaded(view(params))
  const close = () => navigate({ to: '/projects/$project/images', params: { project } })
  return (
    <ImageViewForm
      image={image}
      path={`/projects/${project}/images/${image.name}`}
      onDismiss={() => void close()}
    />
  )
}
