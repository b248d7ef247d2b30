import { useForm } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import {
  supportBundleCreate,
  supportBundleList,
  supportBundleUpdate,
  supportBundleView,
} from '~/api/generated/operations'
import type { SupportBundleInfo } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import * as text from '~/messages/support-bundle'
import { ModalForm } from '~/ui/form/modal-form'
import { TextAreaField } from '~/ui/form/text-field'
import { toast } from '~/ui/toast'

import { beginWork } from './begin-work'

/** Maximum length of a comment, in bytes of UTF-8 (`docs/rules/identity-and-system.md#states-of-bundles`). */
const MAX_COMMENT_BYTES = 4096

interface CommentValues {
  comment: string
}

/** Why a text cannot be the comment of a bundle, if it cannot. The text is that of the server. */
export const commentProblem = (comment: string): string | undefined =>
  new TextEncoder().encode(comment).length > MAX_COMMENT_BYTES
    ? text.commentTooLongError(MAX_COMMENT_BYTES)
    : undefined

const bodyOf = ({ comment }: CommentValues) => ({ userComment: comment.trim() || null })

/** Dialog that creates a support bundle. */
export function CreateSupportBundle({ onDismiss }: { onDismiss: () => void }) {
  const form = useForm<CommentValues>({ defaultValues: { comment: '' } })
  const create = useApiMutation(supportBundleCreate, {
    onSuccess: async ({ id, state }) => {
      if (state === 'collecting') beginWork({ kind: 'support_bundle', id, name: id })
      await invalidate(supportBundleList)
      onDismiss()
      toast({ content: text.collectingToast })
    },
  })
  const input = (values: CommentValues) => ({ body: bodyOf(values) })
  return (
    <ModalForm
      needs={supportBundleCreate}
      form={form}
      title={text.createTitle}
      submitLabel={text.createLabel}
      onSubmit={(values) => create.mutate(input(values))}
      calls={(values) => [{ operation: supportBundleCreate, input: input(values) }]}
      onDismiss={onDismiss}
      loading={create.isPending}
      submitError={create.error}
    >
      <CommentField control={form.control} help={text.createCommentHelp} />
    </ModalForm>
  )
}

interface EditSupportBundleProps {
  bundle: SupportBundleInfo
  onDismiss: () => void
}

/** Dialog that changes the comment of a bundle. */
export function EditSupportBundle({ bundle, onDismiss }: EditSupportBundleProps) {
  const form = useForm<CommentValues>({ defaultValues: { comment: bundle.userComment ?? '' } })
  const update = useApiMutation(supportBundleUpdate, {
    onSuccess: async () => {
      await invalidate(supportBundleList, supportBundleView)
      onDismiss()
      toast({ content: text.commentUpdatedToast })
    },
  })
  const input = (values: CommentValues) => ({
    path: { bundleId: bundle.id },
    body: bodyOf(values),
  })
  return (
    <ModalForm
      needs={supportBundleUpdate}
      draftOf={bundle.id}
      form={form}
      title={text.editCommentTitle}
      submitLabel={text.updateCommentLabel}
      onSubmit={(values) => update.mutate(input(values))}
      calls={(values) => [{ operation: supportBundleUpdate, input: input(values) }]}
      onDismiss={onDismiss}
      loading={update.isPending}
      submitError={update.error}
    >
      <CommentField control={form.control} help={text.editCommentHelp} />
    </ModalForm>
  )
}

function CommentField({ control, help }: { control: Control<CommentValues>; help: string }) {
  return (
    <TextAreaField
      name="comment"
      control={control}
      rows={4}
      help={help}
      validate={(comment) => commentProblem(comment)}
    />
  )
}
