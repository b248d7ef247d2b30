import { createFileRoute, Outlet } from '@tanstack/react-router'
import { ArrowUpFromLine, Images, Trash2, Upload } from 'lucide-react'
import { useMemo } from 'react'

import { imageCreate, imageDelete, imageList, imagePromote } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import { deleteImage, promoteImage } from '~/resource/image-actions'
import { imageColumns } from '~/resource/image-columns'
import { imageDocs } from '~/resource/image-docs'
import { EmptyMessage } from '~/ui/empty-message'
import type { MenuEntry } from '~/ui/menu'
import { PageHeader } from '~/ui/page-header'

const params = (project: string) => ({ query: { project } })

export const Route = createFileRoute('/_authenticated/projects/$project/_images')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project }, location }) =>
    load(context.queryClient, listPage(imageList, params(project), location.search)),
  staticData: {
    crumb: { label: 'Images', to: ({ project }) => `/projects/${project}/images` },
  },
  component: ProjectImages,
})

const rowActions = (image: Image): MenuEntry[] => [
  {
    id: 'promote',
    label: 'Promote',
    icon: ArrowUpFromLine,
    needs: imagePromote,
    onAction: () => promoteImage(image),
  },
  {
    id: 'delete',
    label: 'Delete',
    destructive: true,
    icon: Trash2,
    needs: imageDelete,
    onAction: () => deleteImage(image),
  },
]

function ProjectImages() {
  const { project } = Route.useParams()
  const page = useListPage(imageList, params(project))
  const base = `/projects/${project}`
  const uploadPath = `${base}/images-new`
  useActions(
    useMemo(
      () => [
        {
          id: 'upload-image',
          label: 'Upload image',
          icon: Upload,
          shortcut: 'n',
          href: uploadPath,
        },
      ],
      [uploadPath],
    ),
  )

  return (
    <>
      <PageHeader
        icon={<Images />}
        title="Project Images"
        docs={imageDocs}
        actions={
          <ButtonLink needs={imageCreate} to={uploadPath}>
            <Upload aria-hidden="true" />
            Upload image
          </ButtonLink>
        }
      />
      <ListTable
        label="Project images"
        page={page}
        columns={useMemo(() => imageColumns(base), [base])}
        rowActions={rowActions}
        empty={
          <EmptyMessage icon={<Images />} title="No images" body="Create an image to see it here" />
        }
      />
      <Outlet />
    </>
  )
}
