import { useRouterState } from '@tanstack/react-router'

import * as errors from '~/messages/errors'
import { ErrorPane } from '~/ui/error-page'

import { resolveCrumbs } from './crumbs'
import { errorText, isWorthRetrying, useErrorLog } from './error-text'
import { signOut } from './sign-out'
import { useRetry } from './use-retry'

/** The error page inside a layout: bar and sidebar stay. */
export function PaneError({ error }: { error: unknown }) {
  const retry = useRetry()
  const text = errorText(error)
  const place = useRouterState({ select: ({ matches }) => resolveCrumbs(matches).at(-1)?.label })
  if (text.kind === 'no-access' && place) text.title = errors.noAccessToTitle(place)
  useErrorLog(error)
  return (
    <ErrorPane {...text} {...(isWorthRetrying(text) && retry)} onSignOut={() => void signOut()} />
  )
}
