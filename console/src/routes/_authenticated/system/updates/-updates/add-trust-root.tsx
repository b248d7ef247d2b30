import { systemUpdateTrustRootCreate, systemUpdateTrustRootList } from '~/api/generated/operations'
import { useResourceForm } from '~/app/use-resource-form'
import { chosen } from '~/as-code/chosen'
import * as text from '~/messages/update-screens'
import { roleProblem } from '~/resource/trust-root'
import { FileField } from '~/ui/form/file-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextAreaField } from '~/ui/form/text-field'

interface TrustRootValues {
  /** Only used to fill in the text field. */
  file: File | null
  role: string
}

const NOTHING_ENTERED: TrustRootValues = { file: null, role: '' }

/** Adds a root role, from a file or pasted. */
export function AddTrustRoot({ onDismiss }: { onDismiss: () => void }) {
  const { shell } = useResourceForm({
    operation: systemUpdateTrustRootCreate,
    defaultValues: NOTHING_ENTERED,
    // The signatures cover the exact text, so it is sent unchanged.
    input: ({ role }) => ({ body: new Blob([role], { type: 'application/json' }) }),
    refreshes: [systemUpdateTrustRootList],
    leave: onDismiss,
    toast: () => text.trustRootAddedToast,
  })
  const { form } = shell
  const fill = async (file: File | null) => {
    if (!file) return
    const role = await file.text()
    // The user may have selected another file while this one was read.
    if (form.getValues('file') !== file) return
    form.setValue('role', role, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  return (
    <SideModalForm
      {...shell}
      title={text.addTrustRootTitle}
      calls={({ role }) => [
        {
          operation: systemUpdateTrustRootCreate,
          input: {},
          text: chosen(roleProblem(role) === undefined ? role : null),
        },
      ]}
    >
      <FileField
        name="file"
        control={form.control}
        accept=".json"
        help={text.rootRoleFileHelp}
        onChange={(file) => void fill(file)}
      />
      <TextAreaField
        name="role"
        label={text.rootRoleLabel}
        control={form.control}
        required
        isCode
        rows={14}
        help={text.rootRoleHelp}
        validate={roleProblem}
      />
    </SideModalForm>
  )
}
