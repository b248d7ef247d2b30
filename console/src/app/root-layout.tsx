import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useCallback, useLayoutEffect } from 'react'
import { RouterProvider } from 'react-aria-components'

import { ConfirmHost } from '~/ui/confirm'
import { LoadingBar } from '~/ui/loading-bar'
import { NavigateContext } from '~/ui/navigate-context'
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

  // Another function would render every link of the screen again.
  const navigate = useCallback((href: string) => void router.navigate({ href }), [router])
  return (
    <RouterProvider navigate={navigate}>
      <NavigateContext value={navigate}>
        <SlideInContext value={isPushed}>
          <LoadingBar isLoading={isLoading} />
          <Outlet />
          <RouteAnnouncer />
          <ToastStack />
          <ConfirmHost />
        </SlideInContext>
      </NavigateContext>
    </RouterProvider>
  )
}
