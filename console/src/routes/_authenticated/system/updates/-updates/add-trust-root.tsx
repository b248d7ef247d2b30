import { systemUpdateTrustRootCreate, systemUpdateTrustRootList } from '~/api/generated/operations'
import { useResourceForm } from '~/app/use-resource-form'
import { roleProblem } from '~/resource/trust-root'
import { FileField } from '~/ui/form/file-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextAreaField } from '~/ui/form/text-field'

interface TrustRootValues {
  /** Only a way to fill in the text. */
  file: File | null
  role: string
}

const NOTHING_ENTERED: TrustRootValues = { file: null, role: '' }

/** Adds a root role, from a file or pasted. */
export function AddTrustRoot({ onDismiss }: { onDismiss: () => void }) {
  const { shell } = useResourceForm({
    operation: systemUpdateTrustRootCreate,
    defaultValues: NOTHING_ENTERED,
    // The signatures are over the role as it stands, so its text goes out unchanged.
    input: ({ role }) => ({ body: new Blob([role], { type: 'application/json' }) }),
    refreshes: [systemUpdateTrustRootList],
    leave: onDismiss,
    toast: () => 'Trust root added',
  })
  const { form } = shell
  const fill = async (file: File | null) => {
    if (!file) return
    const role = await file.text()
    // Another file may have been chosen while this one was read.
    if (form.getValues('file') !== file) return
    form.setValue('role', role, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  return (
    <SideModalForm {...shell} title="Add trust root">
      <FileField
        name="file"
        control={form.control}
        accept=".json"
        help="Its text is copied to the field below."
        onChange={(file) => void fill(file)}
      />
      <TextAreaField
        name="role"
        label="Root role"
        control={form.control}
        required
        isCode
        rows={14}
        help="A signed root role of The Update Framework (TUF), as JSON. It must be signed by the required number of its own keys."
        validate={roleProblem}
      />
    </SideModalForm>
  )
}
