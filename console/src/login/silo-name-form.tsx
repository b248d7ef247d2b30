import { useState } from 'react'

import { validateName } from '~/lib/validate-name'
import * as common from '~/messages/common'
import * as text from '~/messages/login'
import { buttonClass } from '~/ui/button-class'
import { Spinner } from '~/ui/spinner'

import { LoginField } from './login-field'
import { offeredSilo } from './silo-memory'

interface SiloNameFormProps {
  /** Why the submitted name was rejected. */
  problem?: string
  onChange: () => void
  onChoose: (silo: string) => Promise<void>
  /** Suggest no name, because the person said that the silo is not listed. */
  isEmpty: boolean
}

/** Asks for the name of a silo. */
export function SiloNameForm({ problem, onChange, onChoose, isEmpty }: SiloNameFormProps) {
  const [silo, setSilo] = useState(() => (isEmpty ? '' : offeredSilo()))
  const [error, setError] = useState<string>()
  const [isPending, setPending] = useState(false)

  const change = (value: string) => {
    setSilo(value)
    onChange()
    if (error) setError(validateName(value, text.siloLabel))
  }
  const submit = async () => {
    if (isPending) return
    const invalid = validateName(silo, text.siloLabel)
    setError(invalid)
    if (invalid) return
    setPending(true)
    await onChoose(silo)
    setPending(false)
  }

  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <LoginField
        label={text.siloLabel}
        showLabel
        name="silo"
        value={silo}
        onChange={change}
        error={error ?? problem}
        autoComplete="organization"
        autoFocus
      />
      <button
        type="submit"
        aria-disabled={isPending}
        className={buttonClass({ className: 'h-10 w-full' })}
      >
        {isPending ? <Spinner label={text.lookingUpSiloLabel} /> : common.continueLabel}
      </button>
    </form>
  )
}
