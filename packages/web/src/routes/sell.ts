import { createRoute, redirect } from '@tanstack/react-router'
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
    validateSearch: textSearch('q', 'order', 'days'),
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
    validateSearch: textSearch('tab', 'agentId', 'startDate', 'endDate', 'source', 'withdraw', 'q', 'order'),
    component: lazyPage(() => import('../features/earnings/EarningsPage.tsx'), 'EarningsPage'),
  }),
  createRoute({
    getParentRoute: sell,
    path: '/plans',
    validateSearch: textSearch('plan', 'quota'),
    component: lazyPage(() => import('../features/plans/PlansPage.tsx'), 'PlansPage'),
  }),
  // Where keys and webhooks were before developers had an area of their own: links to it still lead there.
  createRoute({
    getParentRoute: sell,
    path: '/keys',
    beforeLoad: () => {
      throw redirect({ to: '/developers/keys', replace: true })
    },
  }),
  createRoute({
    getParentRoute: sell,
    path: '/webhooks',
    beforeLoad: () => {
      throw redirect({ to: '/developers/webhooks', replace: true })
    },
  }),
] as const

export const sellRoutes = sellRoute.addChildren(pages)
