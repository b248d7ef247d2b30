import { useSession } from '~/app/session'
import { UploadEntry } from '~/app/upload-entry'
import * as text from '~/messages/image-resume'
import { useKeptUploads } from '~/resource/image-upload-record'

/** The uploads to a project that were interrupted, so that nobody begins one anew that can go on. */
export function InterruptedUploads({ project }: { project: string }) {
  const { id: person } = useSession().me
  const uploads = useKeptUploads(person).filter(({ record }) => record.project === project)
  if (uploads.length === 0) return null
  return (
    <section aria-label={text.uploadsLabel} className="rounded-md border border-line">
      <ul className="divide-y divide-line">
        {uploads.map((upload) => (
          <UploadEntry key={upload.record.id} upload={upload} />
        ))}
      </ul>
    </section>
  )
}
