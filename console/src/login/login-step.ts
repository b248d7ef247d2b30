import type { ComponentType } from 'react'

import type { PendingStep } from '~/api/generated/types.gen'

/** Props of a step after the password. */
export interface LoginStepProps {
  silo: string
  /** The name with which the person signed in. */
  username: string
  /** The password with which the person signed in. */
  password: string
  /** Goes on to the next step. Rejects if the server cannot be asked for it. */
  onDone: () => Promise<void>
}

/** A step and its component. */
export interface LoginStep {
  name: PendingStep
  Content: ComponentType<LoginStepProps>
}

/** The components of the steps. They are loaded on demand, because few sign-ins need one. */
const CONTENTS: Record<PendingStep, () => Promise<ComponentType<LoginStepProps>>> = {
  verify_second_factor: async () =>
    (await import('./steps/verify-second-factor')).VerifySecondFactor,
  choose_password: async () => (await import('./steps/choose-password')).ChoosePassword,
  set_up_second_factor: async () =>
    (await import('./steps/set-up-second-factor')).SetUpSecondFactor,
}

/** Loads the component of a step. */
export const loadStep = async (name: PendingStep): Promise<LoginStep> => ({
  name,
  Content: await CONTENTS[name](),
})
