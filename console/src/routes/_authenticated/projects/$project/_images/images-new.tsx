import { createFileRoute, useBlocker, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import { callForOutcome } from '~/api/call'
import { ApiError } from '~/api/errors'
import { imageCreate, imageView } from '~/api/generated/operations'
import type { BlockSize } from '~/api/generated/types.gen'
import { useSession } from '~/app/session'
import { chosen } from '~/as-code/chosen'
import { GIB, MAX_DISK_SIZE_GIB } from '~/lib/units'
import * as common from '~/messages/common'
import * as text from '~/messages/image-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import { BLOCK_SIZE_OPTIONS } from '~/resource/disk-form'
import { DescriptionField } from '~/ui/form/description-field'
import { FileField } from '~/ui/form/file-field'
import type { SubmitError } from '~/ui/form/form-shell'
import { NameField } from '~/ui/form/name-field'
import { RadioField } from '~/ui/form/radio-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextField } from '~/ui/form/text-field'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'

import { ImageFileRemarks } from './-image-file-remarks'
import { InterruptedUploads } from './-interrupted-uploads'
import { UploadProgress } from './-upload-progress'
import { useImageUpload } from './-use-image-upload'

const UploadSummary = onDemand(async () => (await import('./-upload-summary')).UploadSummary)

export const Route = createFileRoute('/_authenticated/projects/$project/_images/images-new')({
  staticData: { crumb: { label: crumbs.uploadImageLabel, titleOnly: true } },
  component: UploadImage,
})

interface UploadFormValues {
  /** Not called `name`, because the server's errors about a name can be about the temporary disk. */
  imageName: string
  description: string
  os: string
  version: string
  /** In bytes. A string, because that is what radio groups use. */
  blockSize: string
  file: File | null
}

const NOTHING_ENTERED: UploadFormValues = {
  imageName: '',
  description: '',
  os: '',
  version: '',
  blockSize: '512',
  file: null,
}

function validateFile(file: File | null): string | undefined {
  if (file?.size === 0) return text.fileEmptyError
  if (file && file.size > MAX_DISK_SIZE_GIB * GIB) {
    return text.fileTooLargeError(MAX_DISK_SIZE_GIB)
  }
  return undefined
}

/** Why an image cannot have this name; `null` if it can. */
async function nameRefusal(image: string, project: string): Promise<SubmitError | null> {
  try {
    const { type, data } = await callForOutcome(imageView, { path: { image }, query: { project } })
    if (type === 'success') return { message: text.nameTakenError }
    return data.statusCode === 404 ? null : data
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function UploadImage() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const form = useForm({ defaultValues: NOTHING_ENTERED })
  const { control } = form
  const [file, blockSize] = useWatch({ control, name: ['file', 'blockSize'] })
  const [isChecking, setChecking] = useState(false)
  const [refusal, setRefusal] = useState<SubmitError | null>(null)
  const { progress, isBusy, start, close } = useImageUpload(useSession().me.id)
  const isRunning = progress !== undefined && !progress.isDone && !progress.failure
  const hasImage = progress?.isDone || progress?.failure?.hasImage

  useBlocker({
    disabled: !isBusy,
    enableBeforeUnload: isBusy,
    shouldBlockFn: () => isRunning && !window.confirm(text.cancelQuestion),
  })
  const leave = () => void navigate({ to: '/projects/$project/images', params: { project } })

  const request = ({ imageName, file, blockSize, ...values }: UploadFormValues) => ({
    ...values,
    project,
    name: imageName,
    blockSize: Number(blockSize) as BlockSize,
    file: chosen(file),
  })
  const submit = async (values: UploadFormValues) => {
    setRefusal(null)
    setChecking(true)
    const problem = await nameRefusal(values.imageName, project).finally(() => setChecking(false))
    setRefusal(problem)
    if (problem) return
    await start(request(values))
  }

  const dismissProgress = () => {
    if (hasImage) return leave()
    if (isRunning && !window.confirm(text.cancelQuestion)) return
    if (progress?.failure) setRefusal({ message: shared.tryAgainError })
    close()
  }

  return (
    <>
      <SideModalForm
        needs={imageCreate}
        form={form}
        title={text.uploadButtonLabel}
        submitLabel={hasImage ? common.doneLabel : text.uploadButtonLabel}
        onSubmit={hasImage ? leave : submit}
        calls={async (values) => {
          const { imageUploadCalls } = await import('~/resource/image-upload-calls')
          return imageUploadCalls(request(values))
        }}
        onDismiss={leave}
        loading={isChecking || isBusy}
        submitError={refusal}
      >
        {!progress && <InterruptedUploads project={project} />}
        <Message>{text.formatText}</Message>
        <NameField name="imageName" control={control} label={common.nameLabel} />
        <DescriptionField name="description" control={control} />
        <TextField name="os" control={control} label={text.osLabel} required />
        <TextField name="version" control={control} label={text.versionLabel} required />
        <RadioField
          name="blockSize"
          control={control}
          label={text.blockSizeLabel}
          orientation="horizontal"
          options={BLOCK_SIZE_OPTIONS}
        />
        <FileField
          name="file"
          control={control}
          label={text.fileLabel}
          required
          validate={validateFile}
        />
        {file && <ImageFileRemarks file={file} blockSize={Number(blockSize)} />}
        {file && file.size > 0 && <UploadSummary file={file} blockSize={Number(blockSize)} />}
      </SideModalForm>
      {progress && (
        <UploadProgress
          project={project}
          progress={progress}
          onDismiss={dismissProgress}
          onDone={leave}
        />
      )}
    </>
  )
}
