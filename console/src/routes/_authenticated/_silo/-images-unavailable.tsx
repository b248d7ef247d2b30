import { Images } from 'lucide-react'

import { ApiError } from '~/api/errors'
import { EmptyMessage } from '~/ui/empty-message'
import { PageHeader } from '~/ui/page-header'

/**
 * Stands in for the list where the server has no image operations. Such a server answers 404 without an error code, unlike one that
 * looked for something and did not find it. Every other failure goes on to the error page.
 */
export function ImagesUnavailable({ error }: { error: unknown }) {
  const isWithoutImages =
    error instanceof ApiError && error.statusCode === 404 && error.errorCode === undefined
  if (!isWithoutImages) throw error
  return (
    <>
      <PageHeader icon={<Images />} title="Silo Images" />
      <div className="rounded-md border border-line px-4 py-10">
        <EmptyMessage
          icon={<Images />}
          title="No images on this server yet"
          body="This version of Croft cannot keep images. Disks are made blank until it can."
        />
      </div>
    </>
  )
}
