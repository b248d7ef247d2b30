import { createFileRoute } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

import { currentUserProjectList, imageView } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/crumb-screens'
import { ImagePage } from '~/resource/image-page'
import { useSiloImageActions } from '~/resource/silo-image-actions'

import { SiloImageLineage } from './-silo-image-lineage'

const projects = q(currentUserProjectList, { query: { limit: allItems } })

export const Route = createFileRoute('/_authenticated/_silo/images/$image')({
  loader: ({ context: { queryClient }, params }) =>
    Promise.all([load(queryClient, q(imageView, { path: params })), load(queryClient, projects)]),
  staticData: {
    crumb: [
      { label: crumbs.imagesLabel, to: () => '/images' },
      { label: ({ image = '' }) => image },
    ],
  },
  component: SiloImagePage,
})

function SiloImagePage() {
  const path = Route.useParams()
  const navigate = Route.useNavigate()
  const image = useLoaded(q(imageView, { path }))
  const { items } = useLoaded(projects)
  const { dialogs, actionsOf } = useSiloImageActions(
    useCallback(() => navigate({ to: '/images' }), [navigate]),
  )
  const actions = useMemo(() => actionsOf(image), [actionsOf, image])
  return (
    <ImagePage image={image} actions={actions}>
      <SiloImageLineage image={image} projects={items} />
      {dialogs}
    </ImagePage>
  )
}
