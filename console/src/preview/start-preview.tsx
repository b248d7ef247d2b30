import './preview.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { configureTransport } from '~/api/client'
import { createConsoleRouter } from '~/app/router'
import { startConsole } from '~/app/start'

import { Banner } from './banner'
import { askedFailurePercent, setFailurePercent } from './failures'
import type { Home } from './home'
import { changePeople } from './people'
import { signedOutScreen } from './signed-out'
import { stayInPage } from './stay-in-page'
import { personSwitch } from './switch-person'

/** Paths of the login screens, all of which one screen stands in for. */
const LOGIN_ROUTES = ['/login/', '/login/$silo/local', '/login/$silo/saml/$provider'] as const

/** Starts the console with a cloud in a worker, and the banner above it. */
export async function startPreview(home: Home): Promise<void> {
  configureTransport(home.transport)
  const percent = askedFailurePercent(window.location.search)
  if (percent > 0) setFailurePercent(percent)
  home.people.then(
    (all) => changePeople({ all, present: all[0]?.name }),
    (error: unknown) => changePeople({ failure: String(error) }),
  )

  const router = createConsoleRouter()
  const switchPerson = personSwitch(home, router)
  const component = signedOutScreen(switchPerson)
  for (const id of LOGIN_ROUTES) router.routesById[id].update({ component })

  const place = document.createElement('div')
  document.body.prepend(place)
  createRoot(place).render(
    <StrictMode>
      <Banner switchPerson={switchPerson} onFollow={(href) => void router.navigate({ href })} />
    </StrictMode>,
  )

  stayInPage(router)
  await startConsole(router)
}
