import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentDetail, JobDetail, ListedJob } from '@agent-marketplace/contract'
import type { SmartAccount } from 'viem/account-abstraction'
import type { HDAccount, PrivateKeyAccount } from 'viem/accounts'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { routesPath, writeRoutes } from '../scripts/generate-routes.ts'
import {
  type BodyOf,
  createMarketplaceClient,
  isMarketplaceError,
  type MarketplaceClient,
  MarketplaceError,
  type Request,
  type Signer,
} from './index.ts'

type Client = MarketplaceClient

describe('the types follow the contract', () => {
  test('any viem account signs', () => {
    expectTypeOf<PrivateKeyAccount>().toExtend<Signer>()
    expectTypeOf<HDAccount>().toExtend<Signer>()
    expectTypeOf<SmartAccount>().toExtend<Signer>()
  })

  test('actions return the records of the contract', () => {
    expectTypeOf<Client['getJob']>().returns.resolves.toEqualTypeOf<JobDetail>()
    expectTypeOf<Client['hire']>().returns.resolves.toEqualTypeOf<JobDetail>()
    expectTypeOf<Client['getAgent']>().returns.resolves.toEqualTypeOf<AgentDetail>()
    expectTypeOf<Client['listJobs']>().returns.toEqualTypeOf<AsyncGenerator<ListedJob, void>>()
    expectTypeOf<Client['deliverJob']>().parameter(1).toExtend<{ content?: string; note?: string }>()
  })

  test('a body of two forms is taken in either', () => {
    const form = { name: 'Lark', description: 'Sings.', category: 'music' }
    expectTypeOf({ ...form, hourlyRateUsdc: '1' }).toExtend<BodyOf<'createAgent'>>()
    expectTypeOf({ name: 'Lark', type: 'music', bio: 'Sings.' }).toExtend<BodyOf<'createAgent'>>()
    expectTypeOf(form).not.toExtend<BodyOf<'createAgent'>>()
  })

  test('a call by name asks for exactly what its endpoint needs', () => {
    expectTypeOf<{ params: { id: string } }>().toExtend<Request<'getJob'>>()
    expectTypeOf<object>().not.toExtend<Request<'getJob'>>()
    expectTypeOf<object>().toExtend<Request<'listJobs'>>()
    expectTypeOf<{ query: { status: 'DONE' } }>().not.toExtend<Request<'listJobs'>>()
    const read = (client: Client) => client.call('exportEarnings')
    expectTypeOf(read).returns.resolves.toEqualTypeOf<Response>()
    // @ts-expect-error: a job's id is needed
    const missing = (client: Client) => client.call('getJob')
    expectTypeOf(missing).toBeFunction()
  })
})

test('an error of a known code has typed details', () => {
  const error: unknown = new MarketplaceError('AGENT_QUOTA_EXCEEDED', {
    message: 'full',
    details: { current: 1, quota: 1 },
  })
  if (!isMarketplaceError(error, 'AGENT_QUOTA_EXCEEDED')) throw error
  expectTypeOf(error.details.quota).toEqualTypeOf<number>()
  expect([error.details.quota, error.status, error.retryable]).toEqual([1, 403, false])
  expect(isMarketplaceError(error, 'NOT_FOUND')).toBe(false)
})

test('a client has every action that is written', async () => {
  const folder = join(import.meta.dirname, 'actions')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const modules = await Promise.all(files.map((name) => import(join(folder, name))))
  const written = modules.flatMap((exported) => Object.keys(exported))
  const client = createMarketplaceClient({ baseUrl: 'http://localhost:4000' })
  expect(Object.keys(client).sort()).toEqual(written.sort())
})

test('the README names every method', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const client = createMarketplaceClient({ baseUrl: 'http://localhost:4000' })
  const names = Object.keys(client).filter((name) => name !== 'call')
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
})

test('the table of routes is the contract’s', () => {
  expect(readFileSync(routesPath, 'utf8')).toBe(writeRoutes())
})
