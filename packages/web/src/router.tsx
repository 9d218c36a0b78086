import { createRoute, createRouter } from '@tanstack/react-router'
import { PageSkeleton } from './components/page/Skeleton.tsx'
import { agentQuery } from './data/agents/agents.ts'
import { parseBrowseSearch } from './data/agents/browse-search.ts'
import { parseSearchText, textSearch, writeSearchText } from './data/agents/search-text.ts'
import { jobQuery } from './data/jobs/jobs.ts'
import { adminRoutes } from './routes/admin.ts'
import { developersRoutes } from './routes/developers.ts'
import { docsRoutes } from './routes/docs.ts'
import { lazyPage, type RouterContext, root, rootRoute } from './routes/root.ts'
import { sellRoutes } from './routes/sell.ts'
import { RouteError } from './shell/RouteError.tsx'

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

const compareRoute = createRoute({
  getParentRoute: root,
  path: '/compare',
  validateSearch: textSearch('agents', 'only'),
  component: lazyPage(() => import('./features/agents/compare/ComparePage.tsx'), 'ComparePage'),
})

const savedRoute = createRoute({
  getParentRoute: root,
  path: '/saved',
  component: lazyPage(() => import('./features/agents/saved/SavedPage.tsx'), 'SavedPage'),
})

const hireRoute = createRoute({
  getParentRoute: root,
  path: '/agents/$wallet/hire',
  validateSearch: textSearch('service', 'step', 'again'),
  loader: ({ context: { queries, session }, params: { wallet } }) => {
    queries.prefetchQuery(agentQuery(session.getState().client, wallet))
  },
  component: lazyPage(() => import('./features/hire/HirePage.tsx'), 'HirePage'),
})

const jobsRoute = createRoute({
  getParentRoute: root,
  path: '/jobs',
  validateSearch: textSearch('role', 'status', 'q', 'order'),
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

const consentRoute = createRoute({
  getParentRoute: root,
  path: '/consent/$requestId',
  component: lazyPage(() => import('./features/keys/ConsentPage.tsx'), 'ConsentPage'),
})

const txRoute = createRoute({
  getParentRoute: root,
  path: '/tx/$hash',
  validateSearch: textSearch('job'),
  component: lazyPage(() => import('./features/chain/TxPage.tsx'), 'TxPage'),
})

const routeTree = rootRoute.addChildren([
  browseRoute,
  agentRoute,
  sellerRoute,
  compareRoute,
  savedRoute,
  hireRoute,
  jobsRoute,
  jobRoute,
  receiptRoute,
  spendingRoute,
  pricingRoute,
  docsRoutes,
  notificationsRoute,
  consentRoute,
  txRoute,
  sellRoutes,
  developersRoutes,
  adminRoutes,
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
