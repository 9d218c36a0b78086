import { createRoute } from '@tanstack/react-router'
import { lazyPage, root } from './root.ts'

const docsRoute = createRoute({
  getParentRoute: root,
  path: '/docs',
  component: lazyPage(() => import('../features/docs/DocsLayout.tsx'), 'DocsLayout'),
})
const docs = () => docsRoute

const pages = [
  createRoute({
    getParentRoute: docs,
    path: '/',
    component: lazyPage(() => import('../features/docs/DocsHomePage.tsx'), 'DocsHomePage'),
  }),
  createRoute({
    getParentRoute: docs,
    path: '/$guide',
    component: lazyPage(() => import('../features/docs/GuidePage.tsx'), 'GuidePage'),
  }),
  createRoute({
    getParentRoute: docs,
    path: '/reference',
    component: lazyPage(() => import('../features/docs/reference/ReferencePage.tsx'), 'ReferencePage'),
  }),
  createRoute({
    getParentRoute: docs,
    path: '/reference/$operation',
    component: lazyPage(() => import('../features/docs/reference/OperationPage.tsx'), 'OperationPage'),
  }),
] as const

export const docsRoutes = docsRoute.addChildren(pages)
