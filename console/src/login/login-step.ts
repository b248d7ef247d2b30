import type { ComponentType } from 'react'

import type { PendingStep } from '~/api/generated/types.gen'

/** What a step after the password is given. */
export interface LoginStepProps {
  silo: string
  /** The name with which the person signed in. */
  username: string
  /** The password with which the person signed in. */
  password: string
  /** Goes on to what comes next. Rejects when that cannot be told. */
  onDone: () => Promise<void>
}

/** A step, and what shows it. */
export interface LoginStep {
  name: PendingStep
  Content: ComponentType<LoginStepProps>
}

/** Few people meet any of them at a sign-in, so their code comes when it is needed. */
const CONTENTS: Record<PendingStep, () => Promise<ComponentType<LoginStepProps>>> = {
  verify_second_factor: async () =>
    (await import('./steps/verify-second-factor')).VerifySecondFactor,
  choose_password: async () => (await import('./steps/choose-password')).ChoosePassword,
  set_up_second_factor: async () =>
    (await import('./steps/set-up-second-factor')).SetUpSecondFactor,
}

/** Fetches what shows a step. */
export const loadStep = async (name: PendingStep): Promise<LoginStep> => ({
  name,
  Content: await CONTENTS[name](),
})
