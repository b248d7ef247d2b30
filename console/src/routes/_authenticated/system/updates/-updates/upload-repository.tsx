import { useForm } from 'react-hook-form'

import { systemUpdatePutRepository } from '~/api/generated/operations'
import type { TufRepoInsertResponse } from '~/api/generated/types.gen'
import { chosen } from '~/as-code/chosen'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/update-screens'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { FileField } from '~/ui/form/file-field'
import { ModalForm } from '~/ui/form/modal-form'
import { ProgressBar } from '~/ui/progress-bar'
import { toast } from '~/ui/toast'

import { uploadInput, useUpload } from './use-upload'
import type { UploadProgress } from './use-upload'

interface UploadRepositoryProps {
  onDismiss: () => void
  /** Called with the version of the release in the archive. */
  onUploaded: (version: string) => void
}

interface UploadValues {
  archive: File | null
}

/** Uploads an archive with an update repository. The server verifies it before it answers. */
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
      title={text.uploadRepositoryTitle}
      submitLabel={text.uploadLabel}
      onSubmit={({ archive }) => archive && void start(archive)}
      calls={({ archive }) => [
        { operation: systemUpdatePutRepository, input: uploadInput(chosen(archive)) },
      ]}
      onDismiss={onDismiss}
      loading={false}
      submitError={error}
    >
      <FileField
        name="archive"
        control={form.control}
        accept=".zip"
        required
        help={text.archiveHelp}
      />
    </ModalForm>
  )
}

function outcome({ status, recorded }: TufRepoInsertResponse) {
  const { systemVersion } = recorded.repo
  return status === 'inserted'
    ? text.repositoryUploadedToast(systemVersion)
    : text.repositoryKnownToast(systemVersion)
}

function Progress({ sent, total, onCancel }: UploadProgress & { onCancel: () => void }) {
  const percent = total === 0 ? 100 : Math.floor((100 * sent) / total)
  return (
    <Dialog
      title={text.uploadRepositoryTitle}
      isOpen
      onDismiss={onCancel}
      footer={
        <Button needs={null} variant="secondary" size="sm" onPress={onCancel}>
          {text.cancelUploadLabel}
        </Button>
      }
    >
      <div className="space-y-2 pt-1 text-sm">
        <p>{percent < 100 ? text.sendingArchiveHelp : text.verifyingArchiveHelp}</p>
        <ProgressBar label={text.uploadProgressLabel} percent={percent} />
        <p className="font-mono text-xs tabular">
          {text.uploadedBytesText(formatBytes(sent), formatBytes(total))}
        </p>
      </div>
    </Dialog>
  )
}
