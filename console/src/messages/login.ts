/** The login screens. */

export const signedInToast = 'Logged in'
export const sessionEndedText = 'Your session has ended. Sign in to continue.'
export const sessionEndedDraftText =
  'Your session has ended. Sign in to continue; what you typed is kept.'
export const signInLabel = 'Sign in'
export const signingInLabel = 'Signing in'
export const signInError = 'Could not sign in. Please try again.'
export const usernameLabel = 'Username'
export const usernameRequiredError = 'Username is required'
export const passwordLabel = 'Password'
export const passwordRequiredError = 'Password is required'
export const setUpHelp =
  'The link has filled in the first password of this cloud. Sign in, then choose your own.'
export const productLabel = 'Croft'
export const otherSiloLabel = 'Use another silo'
export const noProviderHelp =
  'Nobody can sign in to this silo yet, because no identity provider is configured for it. Ask the operator of this cloud to add one.'
export const providersLabel = 'Identity providers'
export const otherProvidersLabel = 'Other identity providers'
export const unknownSiloError = 'No silo has this name'
export const chooserTitle = 'Sign in to Croft'
export const siloHelp = 'A silo is the organization that your account belongs to.'
export const notListedLabel = 'My silo is not listed'
export const backToListLabel = 'Select from the list'
export const silosLabel = 'Silos'
export const passwordMethodLabel = 'Username and password'
export const singleSignOnLabel = 'Single sign-on'
export const lastUsedLabel = 'Last used'
export const loadingSilosLabel = 'Loading silos'
export const siloLabel = 'Silo'
export const lookingUpSiloLabel = 'Looking up the silo'

export const continueWithLabel = (provider: string) => `Continue with ${provider}`

export const signInWithLabel = (provider: string) => `Sign in with ${provider}`

export const insteadLabel = (provider: string) => `Use ${provider} instead`
