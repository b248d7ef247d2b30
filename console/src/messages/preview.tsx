/** The preview in a browser. */

import type { ReactNode } from 'react'

export const consoleRepositoryLabel = 'Web console'
export const consoleRepositoryHelp = 'this user interface'
export const generatorRepositoryLabel = 'TypeScript API client generator'
export const generatorRepositoryHelp =
  'generates the console’s API client from the OpenAPI document'
export const serverRepositoryLabel = 'Control plane and API'
export const serverRepositoryHelp = 'the API server, here and in an installation'
export const aboutTitle = 'Console Technical Preview'
export const repositoriesTitle = 'Relevant repositories'
export const bannerLabel = 'Technical preview'
export const bannerText = 'This is a technical preview.'
export const learnMoreLabel = 'Learn more'
export const couldNotStartTitle = 'Could not start'
export const signedInAsLabel = 'Signed in as'
export const failureInjectionLabel = 'Failure injection'
export const startOverLabel = 'Start over'
export const menuLabel = 'Preview menu'
export const signedOutLabel = 'Signed out'
export const signInTitle = 'Sign in to the preview'
export const signInHelp = 'No password is needed. Everything you created is still here.'
export const downloadTitle = 'Could not download'
export const signInFailedTitle = 'Could not sign in'

export const productLabel = 'Croft'

export const webAssemblyLabel = 'WebAssembly'

export const apiDocumentLabel = 'API document'

export const aboutHelp = (croft: ReactNode, webAssembly: ReactNode) => (
  <>
    This is the {croft} console. Its control plane runs in this page: the core of the server,
    written in Rust and compiled to {webAssembly}, handles every call in a web worker. What you
    create persists across client-side navigation, nobody else sees it, and it vanishes when you
    refresh the page.
  </>
)

export const callsHelp = (apiDocument: ReactNode, call: ReactNode) => (
  <>
    Requests and responses follow the {apiDocument}, and the rules are the same as on a server.
    Machines, disks, networks and serial consoles are simulated. Each call takes 200 to 400
    milliseconds, like a call over a network. To make a call yourself, enter {call} in the browser’s
    developer console.
  </>
)

export const consoleInSourceHelp = (folder: ReactNode) => (
  <>this user interface; {folder} in Croft&apos;s source</>
)

export const serverInSourceHelp = (folder: ReactNode) => (
  <>the API server, here and in an installation; {folder} in Croft&apos;s source</>
)

export const injectingLabel = 'Injecting failures:'

export const signingInTitle = (name: string) => `Signing in as ${name}`

export const signedInToast = (name: string) => `Signed in as ${name}`

export const downloadFailedError = (status: number) => `The API responded with ${status}.`
