import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allInvariants } from './invariants.ts'
import type { Invariant } from './money/audit/invariant.ts'
import { createReconciler } from './money/audit/reconciler.ts'
import { neededTriggers } from './money/audit/triggers.ts'
import { sql } from './platform/db/sql.ts'
import { followedPlants } from './testing/breaches/followed-plants.ts'
import { plants } from './testing/breaches/plants.ts'
import { openScene, type Scene } from './testing/breaches/scene.ts'

let scene: Scene
let alerts: unknown[]
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.world.close())

const reconciler = ({
  passMs = 0,
  passEverySeconds = 0,
  invariants = allInvariants as readonly Invariant[],
} = {}) =>
  createReconciler({
    db: scene.db,
    chain: scene.world.chain,
    log: pino({ level: 'silent' }),
    alert: (name, details) => void alerts.push({ name, details }),
    invariants,
    passMs,
    passEverySeconds,
  })

/** Enough for a whole pass. */
const passMs = Number.POSITIVE_INFINITY

describe('the audit', () => {
  test('finds nothing in books that are right, by changes and by a full pass', async () => {
    alerts = []
    expect(await reconciler({ passMs }).run()).toEqual([])
    expect(await scene.world.breaches()).toEqual([])
    expect(await reconciler().pendingCount()).toBe(0)
    expect(alerts).toEqual([])
  })

  test('begins a full pass some time after the last one, and ends one that has begun', async () => {
    const { db } = scene
    let count = 0
    const rule = allInvariants.find(({ isForFullPass }) => isForFullPass)
    if (rule === undefined) throw new Error('no rule is for the full pass alone')
    const counting = {
      ...rule,
      check: async () => {
        count += 1
        return []
      },
    }
    const later = reconciler({ passMs, passEverySeconds: 300, invariants: [counting] })
    const ended = (secondsAgo: number) =>
      db.run(
        sql`update audit_pass set ended_at = now() - make_interval(secs => ${secondsAgo}::double precision)`,
      )
    await ended(299)
    await later.run()
    expect(count).toBe(0)
    await ended(300)
    await later.run()
    expect(count).toBe(1)
    await later.run()
    expect(count).toBe(1)
    await db.run(sql`update audit_pass set subject = ${rule.subject.name}`)
    await later.run()
    expect(count).toBe(2)
  })

  test('leaves what it has not checked to the next run, where its process stops', async () => {
    const stopping = new AbortController()
    const checked: string[] = []
    const interrupted = allInvariants.map((rule) => ({
      ...rule,
      check: (deps: Parameters<Invariant['check']>[0], keys: string[]) => {
        checked.push(rule.message)
        stopping.abort()
        return rule.check(deps, keys)
      },
    }))
    await scene.hire('5000000')
    const pending = await reconciler().pendingCount()
    const run = reconciler({ passMs, invariants: interrupted }).run(stopping.signal)
    await expect(run).rejects.toThrow('aborted')
    expect(checked).toHaveLength(1)
    expect(pending).toBeGreaterThan(0)
    expect(await reconciler().pendingCount()).toBe(pending)
    await reconciler().run()
    expect(await reconciler().pendingCount()).toBe(0)
  })

  test('looks at nothing that has not changed, however much there is', async () => {
    const { db } = scene
    const checked: [rule: string, keys: number][] = []
    const counting = allInvariants.map((rule) => ({
      ...rule,
      check: (deps: Parameters<Invariant['check']>[0], keys: string[]) => {
        checked.push([rule.message, keys.length])
        return rule.check(deps, keys)
      },
    }))
    const touch = async () => {
      await db.run(sql`update agents set completed_jobs = completed_jobs where id = ${scene.agent.id}`)
      await db.run(sql`update jobs set title = title where id = ${jobId}`)
      checked.length = 0
      await reconciler({ invariants: counting }).run()
      return checked.toSorted()
    }
    const jobId = await scene.hire('5000000')
    await reconciler().run()
    const before = await touch()

    await db.run(sql`
      insert into watched_wallets (address, account, since_block)
      select wallet, 'wallet:' || wallet, 0 from (
        select '0x' || lpad(to_hex(n), 40, '0') as wallet from generate_series(1, 1200) n) w`)
    await db.run(sql`
      with entry as (
        insert into journal_entries (id, kind, at) select 'jmany' || n, 'test', now() from generate_series(1, 1200) n
        returning id)
      insert into journal_postings select entry.id, posting.account, posting.amount from entry,
        (values ('outside:a', 5), ('outside:world', -5)) as posting (account, amount)`)
    await reconciler().run()
    expect(await touch()).toEqual(before)
    expect(before.every(([, keys]) => keys <= 2)).toBe(true)
    // It reads all of an agent's books, so it waits for a new score.
    expect(before.map(([rule]) => rule)).not.toContain('An agent’s score is the one that its books give')
  })

  test('a transaction that commits late is not skipped', async () => {
    alerts = []
    const { db } = scene
    const jobId = await scene.hire('5000000')
    const [isWritten, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late = db.transaction(async (tx) => {
      await tx.run(sql`update jobs set fee_micro = 1, net_micro = price_micro - 1 where id = ${jobId}`)
      isWritten.resolve()
      await mayCommit.promise
    })
    await isWritten.promise
    await scene.hire('5000000')
    expect(await reconciler().run()).toEqual([])
    mayCommit.resolve()
    await late
    expect(await reconciler().run()).toMatchObject([{ invariant: 'M4', rows: [{ key: jobId }] }])

    // It stays reported without another alert, also by another process, until it is mended.
    expect(await reconciler().run()).toMatchObject([{ invariant: 'M4' }])
    expect(alerts).toMatchObject([{ name: 'BOOKS_BROKEN' }])
    expect(await reconciler().breachCount()).toBe(1)
    await db.run(sql`alter table jobs disable trigger user`)
    await db.run(sql`update jobs set fee_micro = 0, net_micro = price_micro where id = ${jobId}`)
    await db.run(sql`alter table jobs enable trigger user`)
    expect(await reconciler().run()).toEqual([])
    expect(await reconciler().breachCount()).toBe(0)
  })

  test('a change behind the triggers is found by the full pass, in as many runs as it takes', async () => {
    const { db } = scene
    const jobId = await scene.hire('5000000')
    await reconciler().run()
    await db.run(sql`alter table jobs disable trigger user`)
    await db.run(sql`update jobs set fee_micro = 1, net_micro = price_micro - 1 where id = ${jobId}`)
    await db.run(sql`alter table jobs enable trigger user`)
    expect(await reconciler().run()).toEqual([])

    await db.run(sql`update audit_pass set subject = null, after = '', ended_at = now() - interval '1 hour'`)
    // Each run has time for one slice, and the place is stored.
    let runs = 0
    for (let found = false; !found; runs += 1)
      found = (await reconciler({ passMs: Number.MIN_VALUE }).run()).length > 0
    expect(runs).toBeGreaterThan(1)
    await reconciler({ passMs }).run()
    expect(await reconciler().passAge()).toBeLessThan(3_000)
    await db.run(sql`update jobs set fee_micro = 0, net_micro = price_micro where id = ${jobId}`)
    expect(await reconciler({ passMs }).run()).toEqual([])
  })

  test('every change is noted under a kind that a rule is about, or follows', async () => {
    const kinds = await scene.db.rows<{ kind: string }>(sql`
      select distinct noted.kinds[1] as kind
      from pg_proc cross join lateral regexp_matches(prosrc, $$select (?:distinct )?'([a-z]+)'$$, 'g') as noted (kinds)
      where proname like 'note\\_%'`)
    const known = new Set(
      allInvariants.flatMap(({ subject }) => [subject.name, ...Object.keys(subject.follows ?? {})]),
    )
    expect(kinds.length).toBeGreaterThan(10)
    expect(kinds.map(({ kind }) => kind).filter((kind) => !known.has(kind))).toEqual([])
  })

  test('every trigger that notes is one that the audit wants to be there', async () => {
    const triggers = await scene.db.rows<{ name: string }>(sql`
      select tgname as name from pg_trigger where tgname ~ '_(noted|unfolded|earned|spent)(_[a-z]+)?$' order by 1`)
    const needed = neededTriggers
      .map(({ trigger }) => trigger)
      .filter((name) => !/_(append_only|balance)$/.test(name))
    expect(triggers.map(({ name }) => name)).toEqual(needed.toSorted())
  })

  test('an update that leaves the named columns alone is not noted, another is, for all of its rows', async () => {
    const { db } = scene
    await reconciler().run()
    for (let count = 0; count < 3; count += 1) await scene.addIntent('REJECTED')
    await db.run(sql`delete from audit_changes`)
    const changed = await db.run(sql`update intents set is_final = not is_final`)
    expect(changed).toBeGreaterThanOrEqual(3)
    expect(await reconciler().pendingCount()).toBe(0)
    await db.run(sql`update intents set request_id = coalesce(request_id, '') || 'x'`)
    expect(await reconciler().pendingCount()).toBe(changed)
    await db.run(
      sql`update intents set request_id = nullif(left(request_id, -1), ''), is_final = not is_final`,
    )
  })

  test('each row of a rule about the whole is alerted of', async () => {
    alerts = []
    const { db } = scene
    const names = ['budgets_noted_insert', 'budgets_noted_update']
    for (const [index, name] of names.entries()) {
      await db.run(sql`alter table budgets disable trigger ${sql.ident(name)}`)
      expect(await reconciler().run()).toMatchObject([{ invariant: 'M10' }])
      expect(alerts).toHaveLength(index + 1)
      expect(alerts[index]).toMatchObject({ details: { breaches: [{ count: 1, rows: [{ key: name }] }] } })
    }
    for (const name of names) await db.run(sql`alter table budgets enable trigger ${sql.ident(name)}`)
    expect(await reconciler().run()).toEqual([])
  })

  test('a breach of a rule that this version does not have stays until a pass has ended', async () => {
    const { db } = scene
    await db.run(
      sql`insert into audit_breaches (invariant, message, key, rows) values ('Z1', 'A new rule', 'x', '[]')`,
    )
    await reconciler().run()
    expect(await reconciler().breachCount()).toBe(1)
    await db.run(sql`update audit_pass set subject = null, after = ''`)
    await reconciler({ passMs }).run()
    expect(await reconciler().breachCount()).toBe(0)
  })

  test('a rule that fails for one record checks all others, and the pass goes on', async () => {
    const { db } = scene
    const [failing, broken] = [await scene.hire('5000000'), await scene.hire('5000000')]
    await reconciler().run()
    await db.run(sql`alter table jobs disable trigger user`)
    await db.run(sql`update jobs set fee_micro = 1, net_micro = price_micro - 1 where id = ${broken}`)
    await db.run(sql`alter table jobs enable trigger user`)
    await db.run(sql`
      update audit_pass set subject = null, after = '', ended_at = now() - interval '4 days', alerted_at = null`)
    const invariants = allInvariants.map((rule): Invariant => {
      if (rule.subject.name !== 'job' || rule.name !== 'M4') return rule
      return {
        ...rule,
        check: (deps, keys) =>
          keys.includes(failing) ? Promise.reject(new Error('a record that fails')) : rule.check(deps, keys),
      }
    })
    const audit = reconciler({ passMs, invariants })
    alerts = []
    // A slice with a failure is the last one of its run.
    await expect(audit.run()).rejects.toThrow('a record that fails')
    expect(alerts).toMatchObject([
      { name: 'BOOKS_BROKEN', details: { breaches: [{ rows: [{ key: broken }] }] } },
      { name: 'AUDIT_PASS_OVERDUE' },
    ])
    expect(await db.rows(sql`select distinct kind, key from audit_changes`)).toEqual([
      { kind: 'job', key: failing },
    ])
    await expect(audit.run()).rejects.toThrow('a record that fails')
    expect(await audit.passAge()).toBeLessThan(3_000)
    expect(alerts).toHaveLength(2)

    await db.run(sql`update jobs set fee_micro = 0, net_micro = price_micro where id = ${broken}`)
    expect(await reconciler({ passMs }).run()).toEqual([])
    expect(await reconciler().pendingCount()).toBe(0)
  })

  test('every rule has a planted breach', () => {
    expect(Object.keys(plants).sort()).toEqual(allInvariants.map(({ message }) => message).sort())
  })

  test.each(followedPlants)('finds what breaks a rule when $change', async ({ message, prepare }) => {
    const rowsOf = async () =>
      (await reconciler().run()).filter((breach) => breach.message === message).flatMap(({ rows }) => rows)
        .length
    const plant = await prepare(scene)
    const before = await rowsOf()
    await plant()
    expect(await rowsOf()).toBeGreaterThan(before)
  })

  test.each(allInvariants)('finds what breaks $name: $message', async ({ message, isForFullPass }) => {
    const audit = reconciler(isForFullPass ? { passMs } : {})
    const rowsOf = async () =>
      (await audit.run()).filter((breach) => breach.message === message).flatMap(({ rows }) => rows).length
    const before = await rowsOf()
    await plants[message]?.(scene)
    expect(await rowsOf()).toBeGreaterThan(before)
  })
})
