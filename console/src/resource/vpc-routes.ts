import { useQueries } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'

import type { RouterRoute, VpcRouter } from '~/api/generated/types.gen'

import type { VpcParams } from './vpc-path'
import { routerRoutes } from './vpc-queries'

/** A route and its router. */
export interface RouteOfVpc {
  router: VpcRouter
  route: RouterRoute
}

/** The routes of these routers, router by router; `undefined` until all of them are loaded. */
export function useRoutes(vpc: VpcParams, routers: readonly VpcRouter[]): RouteOfVpc[] | undefined {
  const combine = useCallback(
    (lists: UseQueryResult<{ items: RouterRoute[] }>[]) => {
      if (lists.some(({ isPending }) => isPending)) return undefined
      return routers.flatMap((router, index) =>
        (lists[index]?.data?.items ?? []).map((route) => ({ router, route })),
      )
    },
    [routers],
  )
  return useQueries({ queries: routers.map(({ name }) => routerRoutes(vpc, name)), combine })
}

/** The routes to an internet gateway, which they refer to by name. */
export const routesToGateway = (routes: readonly RouteOfVpc[], gateway: string) =>
  routes.filter(
    ({ route: { target } }) => target.type === 'internet_gateway' && target.value === gateway,
  )
