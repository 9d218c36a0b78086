import { createRoute } from '@tanstack/react-router'
import { textSearch } from '../data/agents/search-text.ts'
import { lazyPage, root } from './root.ts'

const sellRoute = createRoute({
  getParentRoute: root,
  path: '/sell',
  component: lazyPage(() => import('../features/seller/SellLayout.tsx'), 'SellLayout'),
})
const sell = () => sellRoute

const pages = [
  createRoute({
    getParentRoute: sell,
    path: '/',
    component: lazyPage(() => import('../features/seller/SellerHomePage.tsx'), 'SellerHomePage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/verify',
    component: lazyPage(() => import('../features/seller/VerifyPage.tsx'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/agents/new',
    component: lazyPage(() => import('../features/seller/NewAgentPage.tsx'), 'NewAgentPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/agents/$wallet/edit',
    component: lazyPage(() => import('../features/seller/EditAgentPage.tsx'), 'EditAgentPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/earnings',
    validateSearch: textSearch('tab', 'agentId', 'startDate', 'endDate', 'source', 'withdraw'),
    component: lazyPage(() => import('../features/earnings/EarningsPage.tsx'), 'EarningsPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/plans',
    validateSearch: textSearch('plan', 'quota'),
    component: lazyPage(() => import('../features/plans/PlansPage.tsx'), 'PlansPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/keys',
    component: lazyPage(() => import('../features/keys/KeysPage.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/webhooks',
    validateSearch: textSearch('webhook'),
    component: lazyPage(() => import('../features/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
] as const

export const sellRoutes = sellRoute.addChildren(pages)
