import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { PageSkeleton } from './components/Skeleton.tsx'
import { agentQuery } from './data/agents.ts'
import { parseBrowseSearch } from './data/browse-search.ts'
import { jobQuery } from './data/jobs.ts'
import { parseSearchText, textSearch, writeSearchText } from './data/search-text.ts'
import type { SessionStore } from './session/session-store.ts'
import { NotFound, RouteError } from './shell/RouteError.tsx'
import { Shell } from './shell/Shell.tsx'

export interface RouterContext {
  queries: QueryClient
  session: SessionStore
}

/** Every page is a chunk of its own. Loaders only start reading, so that a hovered link has its data when it is clicked. */
const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  notFoundComponent: NotFound,
})
const root = () => rootRoute

const browseRoute = createRoute({
  getParentRoute: root,
  path: '/',
  validateSearch: parseBrowseSearch,
  component: lazyRouteComponent(() => import('./features/agents/BrowsePage.tsx'), 'BrowsePage'),
})

const agentRoute = createRoute({
  getParentRoute: root,
  path: '/agents/$wallet',
  loader: ({ context: { queries, session }, params: { wallet } }) => {
    queries.prefetchQuery(agentQuery(session.getState().client, wallet))
  },
  component: lazyRouteComponent(() => import('./features/agents/AgentPage.tsx'), 'AgentPage'),
})

const hireRoute = createRoute({
  getParentRoute: root,
  path: '/agents/$wallet/hire',
  validateSearch: textSearch('service', 'step'),
  loader: ({ context: { queries, session }, params: { wallet } }) => {
    queries.prefetchQuery(agentQuery(session.getState().client, wallet))
  },
  component: lazyRouteComponent(() => import('./features/hire/HirePage.tsx'), 'HirePage'),
})

const jobsRoute = createRoute({
  getParentRoute: root,
  path: '/jobs',
  validateSearch: textSearch('role', 'status'),
  component: lazyRouteComponent(() => import('./features/jobs/JobsPage.tsx'), 'JobsPage'),
})

const jobRoute = createRoute({
  getParentRoute: root,
  path: '/jobs/$jobId',
  loader: ({ context: { queries, session }, params: { jobId } }) => {
    const state = session.getState()
    if (state.status === 'signedIn') queries.prefetchQuery(jobQuery(state.client, jobId))
  },
  component: lazyRouteComponent(() => import('./features/jobs/JobPage.tsx'), 'JobPage'),
})

const notificationsRoute = createRoute({
  getParentRoute: root,
  path: '/notifications',
  validateSearch: textSearch('show'),
  component: lazyRouteComponent(
    () => import('./features/notifications/NotificationsPage.tsx'),
    'NotificationsPage',
  ),
})

const txRoute = createRoute({
  getParentRoute: root,
  path: '/tx/$hash',
  validateSearch: textSearch('job'),
  component: lazyRouteComponent(() => import('./features/chain/TxPage.tsx'), 'TxPage'),
})

const sellRoute = createRoute({
  getParentRoute: root,
  path: '/sell',
  component: lazyRouteComponent(() => import('./features/seller/SellLayout.tsx'), 'SellLayout'),
})
const sell = () => sellRoute

const sellRoutes = [
  createRoute({
    getParentRoute: sell,
    path: '/',
    component: lazyRouteComponent(() => import('./features/seller/SellerHomePage.tsx'), 'SellerHomePage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/verify',
    component: lazyRouteComponent(() => import('./features/seller/VerifyPage.tsx'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/agents/new',
    component: lazyRouteComponent(() => import('./features/seller/NewAgentPage.tsx'), 'NewAgentPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/agents/$wallet/edit',
    component: lazyRouteComponent(() => import('./features/seller/EditAgentPage.tsx'), 'EditAgentPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/earnings',
    validateSearch: textSearch('tab', 'agentId', 'startDate', 'endDate', 'source', 'withdraw'),
    component: lazyRouteComponent(() => import('./features/earnings/EarningsPage.tsx'), 'EarningsPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/plans',
    validateSearch: textSearch('plan', 'quota'),
    component: lazyRouteComponent(() => import('./features/plans/PlansPage.tsx'), 'PlansPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/keys',
    component: lazyRouteComponent(() => import('./features/keys/KeysPage.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/webhooks',
    validateSearch: textSearch('webhook'),
    component: lazyRouteComponent(() => import('./features/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
] as const

const adminRoute = createRoute({
  getParentRoute: root,
  path: '/admin',
  component: lazyRouteComponent(() => import('./features/admin/AdminLayout.tsx'), 'AdminLayout'),
})
const admin = () => adminRoute

const adminRoutes = [
  createRoute({
    getParentRoute: admin,
    path: '/',
    component: lazyRouteComponent(() => import('./features/admin/AdminHomePage.tsx'), 'AdminHomePage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/agents',
    validateSearch: textSearch('status'),
    component: lazyRouteComponent(() => import('./features/admin/AdminAgentsPage.tsx'), 'AdminAgentsPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/disputes',
    validateSearch: textSearch('status'),
    component: lazyRouteComponent(
      () => import('./features/admin/AdminDisputesPage.tsx'),
      'AdminDisputesPage',
    ),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/disputes/$jobId',
    component: lazyRouteComponent(() => import('./features/admin/AdminDisputePage.tsx'), 'AdminDisputePage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/aml',
    validateSearch: textSearch('status'),
    component: lazyRouteComponent(() => import('./features/admin/AdminAmlPage.tsx'), 'AdminAmlPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/owners',
    validateSearch: textSearch('q', 'status'),
    component: lazyRouteComponent(() => import('./features/admin/AdminOwnersPage.tsx'), 'AdminOwnersPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/withdrawals',
    validateSearch: textSearch('status', 'ownerId'),
    component: lazyRouteComponent(
      () => import('./features/admin/AdminWithdrawalsPage.tsx'),
      'AdminWithdrawalsPage',
    ),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/audit',
    validateSearch: textSearch('subjectId', 'actorId'),
    component: lazyRouteComponent(() => import('./features/admin/AdminAuditPage.tsx'), 'AdminAuditPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/health',
    component: lazyRouteComponent(() => import('./features/admin/AdminHealthPage.tsx'), 'AdminHealthPage'),
  }),
] as const

const routeTree = rootRoute.addChildren([
  browseRoute,
  agentRoute,
  hireRoute,
  jobsRoute,
  jobRoute,
  notificationsRoute,
  txRoute,
  sellRoute.addChildren(sellRoutes),
  adminRoute.addChildren(adminRoutes),
])

export function createAppRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    parseSearch: parseSearchText,
    stringifySearch: writeSearchText,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: 200,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
