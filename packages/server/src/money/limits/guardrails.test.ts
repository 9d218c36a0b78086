import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import type { Guardrails } from './guardrail-rules.ts'
import {
  markSpends,
  reservedByAgent,
  reserveSpend,
  type SpendRequest,
  saveSpendStatus,
} from './guardrails.ts'

const none: Guardrails = { perTxLimitMicro: null, sessionCapMicro: null, allowedSkills: [] }

describe('reserveSpend', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase({ poolSize: 25 })
  })
  afterAll(() => database.close())

  const start = new Date('2026-11-15T12:00:00Z')
  let ids = 0

  /** Reads and decides as the service does; returns the id, or the code of the refusal. */
  async function spend(given: Partial<SpendRequest> & { agentId: string; balanceMicro?: bigint }) {
    const { db } = database
    ids += 1
    const id = `spend-${ids}`
    const mark = await markSpends(db, given.agentId)
    const request: SpendRequest = {
      id,
      purpose: 'test',
      amountMicro: 10n,
      guardrails: none,
      holdings: { balanceMicro: given.balanceMicro ?? 1_000n, mark },
      now: start,
      ...given,
    }
    return db
      .transaction((tx) => reserveSpend(tx, request))
      .then(
        () => id,
        (error: { code: string }) => error.code,
      )
  }
  const conclude = (id: string, status: 'SPENT' | 'RELEASED' | 'RESERVED') =>
    database.db.transaction((tx) => saveSpendStatus(tx, id, status))
  const hoursLater = (hours: number) => new Date(start.getTime() + hours * 3600_000)

  test('the cap rolls: what was spent leaves the count after 24 hours, not before', async () => {
    const agentId = 'rolling'
    const guardrails = { ...none, sessionCapMicro: 25n }
    const at = (hours: number) => spend({ agentId, guardrails, now: hoursLater(hours) })
    expect(await at(0)).toMatch(/^spend/)
    expect(await at(10)).toMatch(/^spend/)
    expect(await at(23.999)).toBe('FORBIDDEN')
    expect(await at(24)).toMatch(/^spend/)
    expect(await at(24)).toBe('FORBIDDEN')
    expect(await at(34)).toMatch(/^spend/)
  })

  test('what was released frees the cap and the balance; what was spent frees neither', async () => {
    const agentId = 'released'
    const guardrails = { ...none, sessionCapMicro: 10n }
    const first = await spend({ agentId, guardrails })
    expect(await spend({ agentId, guardrails })).toBe('FORBIDDEN')
    await conclude(first, 'RELEASED')
    const second = await spend({ agentId, guardrails })
    await conclude(second, 'SPENT')
    expect(await spend({ agentId, guardrails })).toBe('FORBIDDEN')
    await conclude(second, 'RESERVED')
    expect(await reservedByAgent(database.db, [agentId, 'nobody'])).toEqual(new Map([[agentId, 10n]]))
  })

  test('a balance that was read before a spend ended does not pay for a second one', async () => {
    const agentId = 'stale'
    const mark = await markSpends(database.db, agentId)
    const holdings = { balanceMicro: 10n, mark }
    const first = await spend({ agentId, holdings })
    await conclude(first, 'SPENT')
    expect(await spend({ agentId, holdings })).toBe('INSUFFICIENT_BALANCE')

    const open = await spend({ agentId, balanceMicro: 10n })
    const markWhileOpen = await markSpends(database.db, agentId)
    await conclude(open, 'SPENT')
    expect(await spend({ agentId, holdings: { balanceMicro: 10n, mark: markWhileOpen } })).toBe(
      'INSUFFICIENT_BALANCE',
    )
    expect(await spend({ agentId, balanceMicro: 10n })).toMatch(/^spend/)
  })

  test.each([1, 3, 10])('20 at once under a cap with room for %i: exactly that many', async (room) => {
    const agentId = `cap-${room}`
    const guardrails = { ...none, sessionCapMicro: BigInt(room) * 10n + 9n }
    const responses = await Promise.all(Array.from({ length: 20 }, () => spend({ agentId, guardrails })))
    expect(responses.filter((response) => response.startsWith('spend'))).toHaveLength(room)
  })

  test.each([1, 3, 10])('20 at once on a balance for %i: exactly that many', async (room) => {
    const agentId = `balance-${room}`
    const balanceMicro = BigInt(room) * 10n + 9n
    const responses = await Promise.all(Array.from({ length: 20 }, () => spend({ agentId, balanceMicro })))
    expect(responses.filter((response) => response.startsWith('spend'))).toHaveLength(room)
  })

  test('one agent’s spends never count for another', async () => {
    const guardrails = { ...none, sessionCapMicro: 10n }
    expect(await spend({ agentId: 'one', guardrails })).toMatch(/^spend/)
    expect(await spend({ agentId: 'two', guardrails })).toMatch(/^spend/)
    const rows = await database.db.rows(sql`select 1 from agent_spends where agent_id in ('one', 'two')`)
    expect(rows).toHaveLength(2)
  })
})
