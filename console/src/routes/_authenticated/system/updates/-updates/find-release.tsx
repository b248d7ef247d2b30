import { useForm } from 'react-hook-form'

import { systemUpdateGetRepository } from '~/api/generated/operations'
import { q, setCached, useApiMutation } from '~/api/query'
import * as text from '~/messages/update-screens'
import { ModalForm } from '~/ui/form/modal-form'
import { TextField } from '~/ui/form/text-field'

interface FindReleaseProps {
  onDismiss: () => void
  /** Called with the version of a release that exists. */
  onFound: (version: string) => void
}

/** Asks for a version and opens its repository if it exists. */
export function FindRelease({ onDismiss, onFound }: FindReleaseProps) {
  const form = useForm({ defaultValues: { version: '' } })
  const find = useApiMutation(systemUpdateGetRepository, {
    onSuccess: (answer, { path }) => {
      setCached(q(systemUpdateGetRepository, { path }), answer)
      onFound(path.systemVersion)
    },
  })
  const input = ({ version }: { version: string }) => ({
    path: { systemVersion: version.trim() },
  })
  return (
    <ModalForm
      needs={systemUpdateGetRepository}
      form={form}
      title={text.findReleaseTitle}
      submitLabel={text.findReleaseLabel}
      onSubmit={(values) => find.mutate(input(values))}
      calls={(values) => [{ operation: systemUpdateGetRepository, input: input(values) }]}
      onDismiss={onDismiss}
      loading={find.isPending}
      submitError={find.error}
    >
      <TextField
        name="version"
        control={form.control}
        required
        isCode
        placeholder="1.2.3"
        help={text.releaseVersionHelp}
      />
    </ModalForm>
  )
}
