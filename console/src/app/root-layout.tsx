import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { RouterProvider } from 'react-aria-components'

import { ConfirmHost } from '~/ui/confirm'
import { LoadingBar } from '~/ui/loading-bar'
import { SlideInContext } from '~/ui/slide-in-context'
import { ToastStack } from '~/ui/toast'

import { resolveCrumbs, windowTitle } from './crumbs'
import { useIsPushed } from './navigation-kind'
import { RouteAnnouncer } from './route-announcer'

/** What surrounds every screen: window title, loading bar, announcer, dialogs and toasts. */
export function RootLayout() {
  const router = useRouter()
  const isPushed = useIsPushed()
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' })
  const title = useRouterState({ select: ({ matches }) => windowTitle(resolveCrumbs(matches)) })
  useLayoutEffect(() => {
    document.title = title
  }, [title])

  return (
    <RouterProvider navigate={(href) => void router.navigate({ href })}>
      <SlideInContext value={isPushed}>
        <LoadingBar isLoading={isLoading} />
        <Outlet />
        <RouteAnnouncer />
        <ToastStack />
        <ConfirmHost />
      </SlideInContext>
    </RouterProvider>
  )
}
