import { createRoute } from '@tanstack/react-router'
import { textSearch } from '../data/agents/search-text.ts'
import { lazyPage, root } from './root.ts'

const adminRoute = createRoute({
  getParentRoute: root,
  path: '/admin',
  component: lazyPage(() => import('../features/admin/AdminLayout.tsx'), 'AdminLayout'),
})
const admin = () => adminRoute

const pages = [
  createRoute({
    getParentRoute: admin,
    path: '/',
    component: lazyPage(() => import('../features/admin/AdminHomePage.tsx'), 'AdminHomePage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/agents',
    validateSearch: textSearch('status'),
    component: lazyPage(() => import('../features/admin/AdminAgentsPage.tsx'), 'AdminAgentsPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/disputes',
    validateSearch: textSearch('status'),
    component: lazyPage(
      () => import('../features/admin/disputes/AdminDisputesPage.tsx'),
      'AdminDisputesPage',
    ),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/disputes/$jobId',
    component: lazyPage(() => import('../features/admin/disputes/AdminDisputePage.tsx'), 'AdminDisputePage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/aml',
    validateSearch: textSearch('status'),
    component: lazyPage(() => import('../features/admin/AdminAmlPage.tsx'), 'AdminAmlPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/owners',
    validateSearch: textSearch('q', 'status'),
    component: lazyPage(() => import('../features/admin/AdminOwnersPage.tsx'), 'AdminOwnersPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/withdrawals',
    validateSearch: textSearch('status', 'ownerId'),
    component: lazyPage(() => import('../features/admin/AdminWithdrawalsPage.tsx'), 'AdminWithdrawalsPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/audit',
    validateSearch: textSearch('subjectId', 'actorId'),
    component: lazyPage(() => import('../features/admin/AdminAuditPage.tsx'), 'AdminAuditPage'),
  }),
  createRoute({
    getParentRoute: admin,
    path: '/health',
    component: lazyPage(() => import('../features/admin/AdminHealthPage.tsx'), 'AdminHealthPage'),
  }),
] as const

export const adminRoutes = adminRoute.addChildren(pages)
