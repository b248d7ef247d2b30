import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import { floatingIpAttach } from '~/api/generated/operations'
import type { FloatingIp } from '~/api/generated/types.gen'
import type { FormCalls } from '~/as-code/call'
import * as text from '~/messages/floating-ip'
import type { SubmitError } from '~/ui/form/form-shell'
import { ListboxField } from '~/ui/form/listbox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'

interface FloatingIpDialogProps {
  /** The unattached floating IPs of the project. */
  floatingIps: readonly FloatingIp[]
  /** Explains what attaching the selected one does. */
  consequence: ReactNode
  submitLabel: string
  onSubmit: (floatingIp: FloatingIp) => void
  /** The calls that the caller makes; `null` if it makes none before another form is submitted. */
  calls: FormCalls<{ floatingIp: string }> | null
  onDismiss: () => void
  loading: boolean
  submitError: SubmitError | null
}

/** Dialog that asks for an unattached floating IP of the project. The caller attaches it. */
export function FloatingIpDialog(props: FloatingIpDialogProps) {
  const { floatingIps, consequence, onSubmit, ...shell } = props
  const form = useForm({ defaultValues: { floatingIp: '' } })
  const id = useWatch({ control: form.control, name: 'floatingIp' })
  const chosen = floatingIps.find((each) => each.id === id)
  return (
    <ModalForm
      needs={floatingIpAttach}
      {...shell}
      form={form}
      title={text.attachTitle}
      submitDisabledReason={chosen ? undefined : text.noneSelectedError}
      onSubmit={() => chosen && onSubmit(chosen)}
    >
      <Message>
        {consequence}
        {chosen && <span className="mt-1 block font-mono">{chosen.ip}</span>}
      </Message>
      <ListboxField
        name="floatingIp"
        control={form.control}
        label={text.floatingIpLabel}
        required
        placeholder={text.floatingIpPlaceholder}
        options={floatingIps.map(({ id: value, name, ip, description }) => ({
          value,
          label: name,
          chosenLabel: `${name} (${ip})`,
          detail: description ? `${ip} / ${description}` : ip,
        }))}
      />
    </ModalForm>
  )
}
