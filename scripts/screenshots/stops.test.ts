import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createAppRouter } from '../../packages/web/src/router.tsx'
import type { RouterContext } from '../../packages/web/src/routes/root.ts'
import { stopsOf } from './stops.ts'

const facts = {
  agents: ['a1', 'a2', 'a3'],
  newAgent: 'a5',
  doneBy: 'a1',
  ownAgent: 'a4',
  seller: 's1',
  jobs: { buyer: { COMPLETED: 'j1', UNDER_REVIEW: 'j2' }, seller: {} },
  dispute: 'j3',
  txHash: '0x1',
} as const

/** Pages that only lead on, and the one whose address comes from an app that asks. */
const elsewhere = ['/sell/keys', '/sell/webhooks', '/consent/$requestId']

test('a picture is taken of every page', () => {
  const router = createAppRouter({ queries: new QueryClient() } as RouterContext)
  const paths = stopsOf(facts).map(({ path }) => path.split('?')[0] ?? '')
  const isVisited = (route: string) => {
    const pattern = new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`)
    return paths.some((path) => pattern.test(path))
  }
  const routes = Object.keys(router.routesByPath).map((route) => route.replace(/(?<=.)\/$/, ''))
  expect(routes).toContain('/admin/health')
  expect(routes.filter((route) => !isVisited(route) && !elsewhere.includes(route))).toEqual([])
})
