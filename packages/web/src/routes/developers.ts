import { createRoute } from '@tanstack/react-router'
import { textSearch } from '../data/agents/search-text.ts'
import { lazyPage, root } from './root.ts'

const developersRoute = createRoute({
  getParentRoute: root,
  path: '/developers',
  component: lazyPage(() => import('../features/developers/DevelopersLayout.tsx'), 'DevelopersLayout'),
})
const developers = () => developersRoute

const pages = [
  createRoute({
    getParentRoute: developers,
    path: '/',
    component: lazyPage(() => import('../features/developers/QuickStartPage.tsx'), 'QuickStartPage'),
  }),
  createRoute({
    getParentRoute: developers,
    path: '/keys',
    component: lazyPage(() => import('../features/keys/KeysPage.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: developers,
    path: '/webhooks',
    validateSearch: textSearch('webhook'),
    component: lazyPage(() => import('../features/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: developers,
    path: '/events',
    validateSearch: textSearch('type'),
    component: lazyPage(() => import('../features/webhooks/EventsPage.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: developers,
    path: '/requests',
    validateSearch: textSearch('requestId', 'status', 'method', 'path', 'caller'),
    component: lazyPage(() => import('../features/requests/RequestsPage.tsx'), 'RequestsPage'),
  }),
] as const

export const developersRoutes = developersRoute.addChildren(pages)
