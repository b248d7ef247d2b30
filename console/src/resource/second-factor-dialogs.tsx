import { useState } from 'react'

import type { ApiError } from '~/api/errors'
import type { SecondFactorCreated } from '~/api/generated/types.gen'
import * as common from '~/messages/common'
import * as text from '~/messages/second-factor'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'

import { SetUpPasskey } from './second-factor-passkey'
import { RecoveryCodes } from './second-factor-recovery-codes'
import type { RecoveryCodesProps } from './second-factor-recovery-codes'
import { SetUpTotp } from './second-factor-totp'

interface AddSecondFactorProps {
  kind: 'totp' | 'passkey'
  onCreated: (created: SecondFactorCreated) => void
  onSignInAgain: (error: ApiError) => void
  onDismiss: () => void
}

/** Dialog that adds a second factor. */
export function AddSecondFactor({ kind, ...props }: AddSecondFactorProps) {
  const SetUp = kind === 'totp' ? SetUpTotp : SetUpPasskey
  return <SetUp Shell={ModalForm} {...props} />
}

type IssuedRecoveryCodesProps = Pick<RecoveryCodesProps, 'codes' | 'owner'> & {
  onDismiss: () => void
}

/** Shows new recovery codes. Stays open until the person confirms that they are saved. */
export function IssuedRecoveryCodes({ codes, owner, onDismiss }: IssuedRecoveryCodesProps) {
  const [isSaved, setSaved] = useState(false)
  const [hasTriedToLeave, setTriedToLeave] = useState(false)
  const leave = () => {
    if (isSaved) onDismiss()
    else setTriedToLeave(true)
  }
  return (
    <Dialog
      title={text.recoveryCodesTitle}
      isOpen
      onDismiss={leave}
      footer={
        <Button
          needs={null}
          size="sm"
          disabledReason={isSaved ? undefined : text.saveCodesError}
          onPress={onDismiss}
        >
          {common.doneLabel}
        </Button>
      }
    >
      {hasTriedToLeave && !isSaved && (
        <Message tone="danger" className="mb-4">
          {text.saveCodesFirstError}
        </Message>
      )}
      <RecoveryCodes codes={codes} owner={owner} isSaved={isSaved} onSavedChange={setSaved} />
    </Dialog>
  )
}
