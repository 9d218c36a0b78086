import { createRoute } from '@tanstack/react-router'
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
    component: lazyPage(() => import('../features/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
] as const

export const developersRoutes = developersRoute.addChildren(pages)
