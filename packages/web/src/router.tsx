import type { QueryClient } from '@tanstack/react-query'
import {
  type AsyncRouteComponent,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageSkeleton } from './components/Skeleton.tsx'
import { agentQuery } from './data/agents/agents.ts'
import { parseBrowseSearch } from './data/agents/browse-search.ts'
import { parseSearchText, textSearch, writeSearchText } from './data/agents/search-text.ts'
import { loadCode } from './data/connection/load-code.ts'
import { jobQuery } from './data/jobs/jobs.ts'
import type { SessionStore } from './session/session-store.ts'
import { NotFound, RouteError } from './shell/RouteError.tsx'
import { Shell } from './shell/Shell.tsx'

export interface RouterContext {
  queries: QueryClient
  session: SessionStore
}

/** The page's code comes when it is opened, or when its link is hovered. */
const lazyPage = <Name extends string>(
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
): AsyncRouteComponent<object> =>
  lazyRouteComponent<Record<Name, () => ReactNode>, Name>(() => loadCode(load), name)

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
  component: lazyPage(() => import('./features/agents/browse/BrowsePage.tsx'), 'BrowsePage'),
})

const agentRoute = createRoute({
  getParentRoute: root,
  path: '/agents/$wallet',
  loader: ({ context: { queries, session }, params: { wallet } }) => {
    queries.prefetchQuery(agentQuery(session.getState().client, wallet))
  },
  component: lazyPage(() => import('./features/agents/profile/AgentPage.tsx'), 'AgentPage'),
})

const sellerRoute = createRoute({
  getParentRoute: root,
  path: '/sellers/$wallet',
  component: lazyPage(() => import('./features/agents/seller/SellerPage.tsx'), 'SellerPage'),
})

const hireRoute = createRoute({
  getParentRoute: root,
  path: '/agents/$wallet/hire',
  validateSearch: textSearch('service', 'step'),
  loader: ({ context: { queries, session }, params: { wallet } }) => {
    queries.prefetchQuery(agentQuery(session.getState().client, wallet))
  },
  component: lazyPage(() => import('./features/hire/HirePage.tsx'), 'HirePage'),
})

const jobsRoute = createRoute({
  getParentRoute: root,
  path: '/jobs',
  validateSearch: textSearch('role', 'status'),
  component: lazyPage(() => import('./features/jobs/list/JobsPage.tsx'), 'JobsPage'),
})

const jobRoute = createRoute({
  getParentRoute: root,
  path: '/jobs/$jobId',
  loader: ({ context: { queries, session }, params: { jobId } }) => {
    const state = session.getState()
    if (state.status === 'signedIn') queries.prefetchQuery(jobQuery(state.client, jobId))
  },
  component: lazyPage(() => import('./features/jobs/JobPage.tsx'), 'JobPage'),
})

const receiptRoute = createRoute({
  getParentRoute: root,
  path: '/jobs/$jobId/receipt',
  component: lazyPage(() => import('./features/jobs/receipt/ReceiptPage.tsx'), 'ReceiptPage'),
})

const spendingRoute = createRoute({
  getParentRoute: root,
  path: '/spending',
  validateSearch: textSearch('agentId', 'kind', 'startDate', 'endDate'),
  component: lazyPage(() => import('./features/spending/SpendingPage.tsx'), 'SpendingPage'),
})

const pricingRoute = createRoute({
  getParentRoute: root,
  path: '/pricing',
  component: lazyPage(() => import('./features/pricing/PricingPage.tsx'), 'PricingPage'),
})

const notificationsRoute = createRoute({
  getParentRoute: root,
  path: '/notifications',
  validateSearch: textSearch('show'),
  component: lazyPage(() => import('./features/notifications/NotificationsPage.tsx'), 'NotificationsPage'),
})

const txRoute = createRoute({
  getParentRoute: root,
  path: '/tx/$hash',
  validateSearch: textSearch('job'),
  component: lazyPage(() => import('./features/chain/TxPage.tsx'), 'TxPage'),
})

const sellRoute = createRoute({
  getParentRoute: root,
  path: '/sell',
  component: lazyPage(() => import('./features/seller/SellLayout.tsx'), 'SellLayout'),
})
const sell = () => sellRoute

const sellRoutes = [
  createRoute({
    getParentRoute: sell,
    path: '/',
    component: lazyPage(() => import('./features/seller/SellerHomePage.tsx'), 'SellerHomePage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/verify',
    component: lazyPage(() => import('./features/seller/VerifyPage.tsx'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/agents/new',
    component: lazyPage(() => import('./features/seller/NewAgentPage.tsx'), 'NewAgentPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/agents/$wallet/edit',
    component: lazyPage(() => import('./features/seller/EditAgentPage.tsx'), 'EditAgentPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/earnings',
    validateSearch: textSearch('tab', 'agentId', 'startDate', 'endDate', 'source', 'withdraw'),
    component: lazyPage(() => import('./features/earnings/EarningsPage.tsx'), 'EarningsPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/plans',
    validateSearch: textSearch('plan', 'quota'),
    component: lazyPage(() => import('./features/plans/PlansPage.tsx'), 'PlansPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/keys',
    component: lazyPage(() => import('./features/keys/KeysPage.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/webhooks',
    validateSearch: textSearch('webhook'),
    component: lazyPage(() => import('./features/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
] as const

const adminRoute = createRoute({
  getParentRoute: root,
  path: '/admin',
  component: lazyPage(() => import('./features/admin/AdminLayout.tsx'), 'AdminLayout'),
})
const admin = () => adminRoute

const adminRoutes = [
  createRoute({
    getParentRoute: admin,
    path: '/',
    component: lazyPage(() => import('./features/admin/AdminHomePage.tsx'), 'AdminHomePage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/agents',
    validateSearch: textSearch('status'),
    component: lazyPage(() => import('./features/admin/AdminAgentsPage.tsx'), 'AdminAgentsPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/disputes',
    validateSearch: textSearch('status'),
    component: lazyPage(() => import('./features/admin/disputes/AdminDisputesPage.tsx'), 'AdminDisputesPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/disputes/$jobId',
    component: lazyPage(() => import('./features/admin/disputes/AdminDisputePage.tsx'), 'AdminDisputePage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/aml',
    validateSearch: textSearch('status'),
    component: lazyPage(() => import('./features/admin/AdminAmlPage.tsx'), 'AdminAmlPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/owners',
    validateSearch: textSearch('q', 'status'),
    component: lazyPage(() => import('./features/admin/AdminOwnersPage.tsx'), 'AdminOwnersPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/withdrawals',
    validateSearch: textSearch('status', 'ownerId'),
    component: lazyPage(() => import('./features/admin/AdminWithdrawalsPage.tsx'), 'AdminWithdrawalsPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/audit',
    validateSearch: textSearch('subjectId', 'actorId'),
    component: lazyPage(() => import('./features/admin/AdminAuditPage.tsx'), 'AdminAuditPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/health',
    component: lazyPage(() => import('./features/admin/AdminHealthPage.tsx'), 'AdminHealthPage'),
  }),
] as const

const routeTree = rootRoute.addChildren([
  browseRoute,
  agentRoute,
  sellerRoute,
  hireRoute,
  jobsRoute,
  jobRoute,
  receiptRoute,
  spendingRoute,
  pricingRoute,
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
