import { useForm } from 'react-hook-form'

import { systemUpdatePutRepository } from '~/api/generated/operations'
import type { TufRepoInsertResponse } from '~/api/generated/types.gen'
import { formatBytes } from '~/lib/units'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { FileField } from '~/ui/form/file-field'
import { ModalForm } from '~/ui/form/modal-form'
import { ProgressBar } from '~/ui/progress-bar'
import { toast } from '~/ui/toast'

import { useUpload } from './use-upload'
import type { UploadProgress } from './use-upload'

interface UploadRepositoryProps {
  onDismiss: () => void
  /** Is given the version of the release that the archive holds. */
  onUploaded: (version: string) => void
}

interface UploadValues {
  archive: File | null
}

/** Sends an archive with a repository of updates, which the server verifies before it answers. */
export function UploadRepository({ onDismiss, onUploaded }: UploadRepositoryProps) {
  const form = useForm<UploadValues>({ defaultValues: { archive: null } })
  const { progress, error, start, cancel } = useUpload((answer) => {
    toast({ content: outcome(answer) })
    onUploaded(answer.recorded.repo.systemVersion)
  })
  if (progress) return <Progress {...progress} onCancel={cancel} />
  return (
    <ModalForm
      needs={systemUpdatePutRepository}
      form={form}
      title="Upload repository"
      submitLabel="Upload"
      onSubmit={({ archive }) => archive && void start(archive)}
      onDismiss={onDismiss}
      loading={false}
      submitError={error}
    >
      <FileField
        name="archive"
        control={form.control}
        accept=".zip"
        required
        help="A zip archive of at most 4 GiB with a signed repository. One of the trusted root roles must verify it."
      />
    </ModalForm>
  )
}

function outcome({ status, recorded }: TufRepoInsertResponse) {
  const version = <b>{recorded.repo.systemVersion}</b>
  return status === 'inserted' ? (
    <>Repository of {version} uploaded</>
  ) : (
    <>Repository of {version} had already been uploaded</>
  )
}

function Progress({ sent, total, onCancel }: UploadProgress & { onCancel: () => void }) {
  const percent = total === 0 ? 100 : Math.floor((100 * sent) / total)
  return (
    <Dialog
      title="Upload repository"
      isOpen
      onDismiss={onCancel}
      footer={
        <Button needs={null} variant="secondary" size="sm" onPress={onCancel}>
          Cancel upload
        </Button>
      }
    >
      <div className="space-y-2 pt-1 text-sm">
        <p>{percent < 100 ? 'Sending the archive' : 'The server is verifying the archive'}</p>
        <ProgressBar label="Upload progress" percent={percent} />
        <p className="font-mono text-xs tabular">
          {formatBytes(sent)} of {formatBytes(total)}
        </p>
      </div>
    </Dialog>
  )
}
