import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { imageView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/crumb-screens'
import { ImageViewForm } from '~/resource/image-view-form'

export const Route = createFileRoute('/_authenticated/_silo/_images/images/$image/edit')({
  loader: ({ context, params }) => load(context.queryClient, q(imageView, { path: params })),
  staticData: { crumb: { label: crumbs.editImageLabel, titleOnly: true } },
  component: SiloImage,
})

function SiloImage() {
  const navigate = useNavigate()
  const path = Route.useParams()
  const image = useLoaded(q(imageView, { path }))
  return (
    <ImageViewForm
      image={image}
      path={`/images/${image.name}`}
      onDismiss={() => void navigate({ to: '/images' })}
    />
  )
}
