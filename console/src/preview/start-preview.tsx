import './preview.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { configureTransport } from '~/api/client'
import { createConsoleRouter } from '~/app/router'
import { startConsole } from '~/app/start'
import { replaceStartAnew } from '~/app/start-anew'
import { download } from '~/lib/download'
import * as text from '~/messages/preview'
import { toast } from '~/ui/toast'

import { Banner } from './banner'
import type { Connection } from './connection'
import { askedFailurePercent, setFailurePercent } from './failures'
import { changePeople } from './people'
import { signedOutScreen } from './signed-out'
import { startAnewInPage } from './start-anew-in-page'
import { stayInPage } from './stay-in-page'
import { personSwitch } from './switch-person'

/** What the preview offers in the browser's developer console. */
interface PreviewHandle {
  /** Makes a call as the signed-in user: `await croft.fetch('/v1/projects')`. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>
  /** Goes to a screen. (An address typed into the browser would reload the page.) */
  open: (path: string) => Promise<void>
}

declare global {
  interface Window {
    croft?: PreviewHandle
  }
}

/** Paths of the login screens. In the preview, one screen replaces all of them. */
const LOGIN_ROUTES = ['/login/', '/login/$silo/local', '/login/$silo/saml/$provider'] as const

/** Starts the console with the control plane in a worker, and the banner above it. */
export async function startPreview(connection: Connection): Promise<void> {
  configureTransport(connection.transport)
  const percent = askedFailurePercent(window.location.search)
  if (percent > 0) setFailurePercent(percent)
  connection.people.then(
    (all) => changePeople({ all, present: all[0]?.name }),
    (error: unknown) => changePeople({ failure: String(error) }),
  )

  const router = createConsoleRouter()
  const switchPerson = personSwitch(connection, router)
  const component = signedOutScreen(switchPerson)
  for (const id of LOGIN_ROUTES) router.routesById[id].update({ component })

  const container = document.createElement('div')
  document.body.prepend(container)
  createRoot(container).render(
    <StrictMode>
      <Banner switchPerson={switchPerson} onFollow={(href) => void router.navigate({ href })} />
    </StrictMode>,
  )

  window.croft = {
    fetch: (url, init = {}) => connection.transport.fetch(url, init),
    open: (path) => router.navigate({ href: path, ignoreBlocker: true }),
  }
  replaceStartAnew((path) => void startAnewInPage(router, path))
  stayInPage(router, (path, name) => void save(connection, path, name))
  await startConsole(router)
}

/** Saves what a path of the API answers as a file: the browser itself would ask the host of the site for it. */
async function save(connection: Connection, path: string, name: string): Promise<void> {
  const response = await connection.transport.fetch(path, {})
  if (!response.ok) {
    toast({
      variant: 'error',
      title: text.downloadTitle,
      content: text.downloadFailedError(response.status),
    })
    return
  }
  const url = URL.createObjectURL(await response.blob())
  download(url, name)
  URL.revokeObjectURL(url)
}
