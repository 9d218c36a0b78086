import { AppError, parseMicro } from '@agent-marketplace/contract'
import type { Budgets, Purse, Spend, WantedBudget } from '../../house/budgets.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { checkCaps, isSameDay, nothing, type Sums, withReserved } from './rules.ts'
import {
  type BudgetRow,
  findCounted,
  insertBudget,
  listBudgets,
  listCategories,
  lockBudgets,
  saveCounted,
  sumJobs,
} from './store.ts'

const noSums: Sums = { day: nothing, month: nothing, total: nothing }

/** A budget with its current spending. */
export interface ReadBudget extends BudgetRow {
  sums: Sums
}

/** Leaves hires without a budget as they are. */
const emptyPurse: Purse = { check: () => undefined, take: () => undefined, store: async () => undefined }

/**
 * What credentials may spend. It promises: of spends that come at once no more go through than the caps allow, to the
 * micro-unit; a job counts once, from the transaction that makes it or takes its payment; and what is cancelled or paid
 * back no longer counts, because the sums are those of the jobs as they are.
 */
export function createBudgets({ clock }: { clock: Clock }) {
  type Wish = Pick<Spend, 'budgetId' | 'agentId'>

  /** Reads what a check needs. A budget is locked before anything is spent from it. */
  async function read(db: Queryable, wishes: readonly Wish[], exceptJob?: string) {
    const now = clock.now()
    const ids = [...new Set(wishes.map(({ budgetId }) => budgetId))]
    const budgets = new Map((await listBudgets(db, ids)).map((budget) => [budget.id, budget]))
    const sums = await sumJobs(db, ids, { now, onlyCapped: true, exceptJob: exceptJob ?? null })
    const needsCategories = [...budgets.values()].some((budget) => budget.allowedCategories.length > 0)
    const categories = needsCategories ? await categoriesOf(db, wishes) : new Map<string, string>()
    return { now, budgets, sums, categories }
  }

  function purseOf(
    { now, budgets, sums, categories }: Awaited<ReturnType<typeof read>>,
    save: (spends: readonly Spend[]) => Promise<void>,
  ): Purse {
    const taken: Spend[] = []
    const budgetOf = ({ budgetId }: Spend): BudgetRow => {
      const budget = budgets.get(budgetId)
      if (!budget) throw new Error(`there is no budget ${budgetId}`)
      return budget
    }
    return {
      check(spend) {
        const budget = budgetOf(spend)
        checkAgent(budget, spend.agentId, categories.get(spend.agentId))
        checkCaps(budget, sums.get(budget.id) ?? noSums, spend.amountMicro, now)
      },
      take(spend) {
        sums.set(spend.budgetId, withReserved(sums.get(spend.budgetId) ?? noSums, spend.amountMicro))
        taken.push(spend)
      },
      store: async () => (taken.length === 0 ? undefined : save(taken)),
    }
  }

  async function open(tx: Transaction, wishes: readonly Wish[], exceptJob?: string): Promise<Purse> {
    if (wishes.length === 0) return emptyPurse
    await lockBudgets(
      tx,
      wishes.map(({ budgetId }) => budgetId),
    )
    return purseOf(await read(tx, wishes, exceptJob), (spends) => saveCounted(tx, spends, clock.now()))
  }

  /** A job that counts to this budget today is within it already. */
  async function isCounted(db: Queryable, { jobId, budgetId }: Spend): Promise<boolean> {
    const counted = await findCounted(db, jobId)
    return counted?.budgetId === budgetId && isSameDay(counted.countedAt, clock.now())
  }

  const keeper: Budgets = {
    open: (tx, wishes) => open(tx, wishes),

    async takePayment(tx, spend) {
      if (await isCounted(tx, spend)) return
      const purse = await open(tx, [spend], spend.jobId)
      purse.check(spend)
      purse.take(spend)
      await purse.store()
    },

    async checkPayment(db, spend) {
      if (await isCounted(db, spend)) return
      purseOf(await read(db, [spend], spend.jobId), async () => undefined).check(spend)
    },

    async requireOwn(db, { jobId, budgetId }) {
      if ((await findCounted(db, jobId))?.budgetId === budgetId) return
      throw new AppError('FORBIDDEN', {
        message:
          'The budget of this credential did not pay for this job, so it cannot decide where the money goes. Sign in with your wallet for it.',
      })
    },
  }

  return {
    ...keeper,

    /** Under the id of its credential. */
    create: (tx: Transaction, wanted: WantedBudget & { id: string; ownerId: string }): Promise<void> =>
      insertBudget(tx, rowOf(wanted), clock.now()),

    /** With their current spending. */
    async readAll(db: Queryable, ids: readonly string[]): Promise<Map<string, ReadBudget>> {
      const budgets = await listBudgets(db, ids)
      const sums = await sumJobs(db, ids, { now: clock.now(), onlyCapped: false })
      return new Map(budgets.map((budget) => [budget.id, { ...budget, sums: sums.get(budget.id) ?? noSums }]))
    },
  }
}

function rowOf({
  id,
  ownerId,
  budget = {},
  allowedAgents = [],
  allowedCategories = [],
}: WantedBudget & { id: string; ownerId: string }): BudgetRow {
  const microOf = (amount: string | undefined) => (amount === undefined ? null : parseMicro(amount))
  return {
    id,
    ownerId,
    perJobMicro: microOf(budget.perJob),
    perDayMicro: microOf(budget.perDay),
    perMonthMicro: microOf(budget.perMonth),
    totalMicro: microOf(budget.total),
    allowedAgents: [...new Set(allowedAgents)],
    allowedCategories: [...new Set(allowedCategories)],
  }
}

async function categoriesOf(
  db: Queryable,
  wishes: readonly { agentId: string }[],
): Promise<Map<string, string>> {
  const agents = await listCategories(
    db,
    wishes.map(({ agentId }) => agentId),
  )
  return new Map(agents.map(({ id, category }) => [id, category]))
}

function checkAgent(budget: BudgetRow, agentId: string, category: string | undefined): void {
  const { allowedAgents, allowedCategories } = budget
  if (allowedAgents.length === 0 && allowedCategories.length === 0) return
  if (allowedAgents.includes(agentId)) return
  const isSame = (allowed: string) => allowed.toLowerCase() === category?.toLowerCase()
  if (allowedCategories.some(isSame)) return
  throw new AppError('FORBIDDEN', {
    message: 'This credential may not hire this agent: it is neither among its agents nor in its categories.',
    details: { allowedAgents, allowedCategories },
  })
}

export type BudgetsService = ReturnType<typeof createBudgets>
