import type { QueryClient } from '@tanstack/react-query'
import {
  type AsyncRouteComponent,
  createRootRouteWithContext,
  lazyRouteComponent,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { loadCode } from '../data/connection/load-code.ts'
import type { SessionStore } from '../session/session-store.ts'
import { NotFound } from '../shell/RouteError.tsx'
import { Shell } from '../shell/Shell.tsx'

export interface RouterContext {
  queries: QueryClient
  session: SessionStore
}

/** The page's code comes when it is opened, or when its link is hovered. */
export const lazyPage = <Name extends string>(
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
): AsyncRouteComponent<object> =>
  lazyRouteComponent<Record<Name, () => ReactNode>, Name>(() => loadCode(load), name)

/** Every page is a chunk of its own. Loaders only start reading, so that a hovered link has its data when it is clicked. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  notFoundComponent: NotFound,
})
export const root = () => rootRoute
