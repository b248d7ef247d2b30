import { useState } from 'react'

import { validateName } from '~/lib/validate-name'
import { buttonClass } from '~/ui/button-class'

import { LoginField } from './login-field'
import { LoginLayout } from './login-layout'
import { keepRedirect } from './redirect-target'
import { offeredSilo } from './silo-memory'

/** `/login`: a person says which silo to sign in to. */
export function SiloChooser() {
  const [silo, setSilo] = useState(offeredSilo)
  const [error, setError] = useState<string>()

  const change = (value: string) => {
    setSilo(value)
    if (error) setError(validateName(value, 'Silo'))
  }
  const submit = () => {
    const problem = validateName(silo, 'Silo')
    setError(problem)
    if (!problem)
      window.location.assign(keepRedirect(`/login/${silo}/local`, window.location.search))
  }

  return (
    <LoginLayout>
      <h1 className="text-xl font-semibold">Sign in to Croft</h1>
      <p className="mt-1 text-fg-muted">A silo is the organisation that your account belongs to.</p>
      <hr className="my-6 border-line" />
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <LoginField
          label="Silo"
          showLabel
          name="silo"
          value={silo}
          onChange={change}
          error={error}
          autoComplete="organization"
          autoFocus
        />
        <button type="submit" className={buttonClass({ className: 'h-10 w-full' })}>
          Continue
        </button>
      </form>
    </LoginLayout>
  )
}
