import { agentsTasks } from '../features/agents/tasks.ts'
import { jobsTicks } from '../features/jobs/tasks.ts'
import { webhooksTasks } from '../features/webhooks/tasks.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { AppDeps } from './deps.ts'
import type { Services } from './services.ts'
import { createTimeOfBooks } from './time-of-books.ts'

const CLEANING_INTERVAL_SECONDS = 60
const AUDIT_INTERVAL_SECONDS = 60
const LOOK_UP_INTERVAL_SECONDS = 5
const SUBSCRIPTION_INTERVAL_SECONDS = 30
const SWEEP_INTERVAL_SECONDS = 600
const WITHDRAWAL_INTERVAL_SECONDS = 30
const HELD_PAYMENT_INTERVAL_SECONDS = 30
const SEALING_INTERVAL_SECONDS = 600

/** What happens without anybody asking. */
export function scheduleBackground(deps: AppDeps, services: Services, metrics: Metrics): void {
  const { db, clock } = deps
  const {
    newId,
    queue,
    idempotency,
    webhooks,
    notify,
    owners,
    auth,
    money,
    gasBudget,
    reconciler,
    agents,
    x402,
    carried,
    heldPayments,
    subscriptions,
    sweep,
    jobs,
  } = services
  metrics.gauge(
    'money_invariant_breaches',
    'Rules of the books that did not hold at the last audit.',
    reconciler.breachCount,
  )
  metrics.gauge(
    'money_jobs_set_aside',
    'Jobs that were closed on chain and that the books never saw funded.',
    async () => (await money.status()).setAsideCount,
  )
  metrics.gauge('money_is_operator', '1 while our key is the operator of the escrow, else 0.', async () =>
    (await money.roles.isOperator()) ? 1 : 0,
  )
  metrics.gauge('queue_dead_letters', 'Jobs of the queue that were given up.', queue.countDeadLetters)
  metrics.gauge('gas_budget_used', 'Gas that users caused in this hour.', async () =>
    Number(await gasBudget.usedGas()),
  )
  metrics.gauge('gas_budget_limit', 'Gas that users may cause in an hour.', () =>
    Number(gasBudget.limitGas()),
  )
  metrics.gauge('gas_budget_refusals', 'Calls of this process that a gas budget refused.', gasBudget.refusals)
  agentsTasks({ agents, queue })
  webhooksTasks({ webhooks, queue })
  const timeOfBooks = createTimeOfBooks(deps, money)
  for (const { name, seconds, handler } of jobsTicks({
    db,
    clock,
    newId,
    notify,
    actions: jobs.actions,
    timeOfBooks,
  })) {
    queue.every(name, seconds, handler)
  }
  queue.every('subscriptions', SUBSCRIPTION_INTERVAL_SECONDS, async (signal) =>
    subscriptions.runDue({ signal, until: await timeOfBooks() }),
  )
  queue.every('held-payments', HELD_PAYMENT_INTERVAL_SECONDS, heldPayments.runDue)
  queue.every('withdrawals', WITHDRAWAL_INTERVAL_SECONDS, carried.followUp)
  queue.every('sweep', SWEEP_INTERVAL_SECONDS, sweep.runDue)
  queue.every('x402-look-ups', LOOK_UP_INTERVAL_SECONDS, async () => void (await x402.payments.resume()))
  queue.every('gas-budget', AUDIT_INTERVAL_SECONDS, gasBudget.lookAfter)
  queue.every('audit', AUDIT_INTERVAL_SECONDS, async () => void (await reconciler.run()))
  // Again and again, because a process of an older version may still run beside this one.
  queue.every('seal-personal-data', SEALING_INTERVAL_SECONDS, owners.sealPlainDetails)
  queue.every('remove-expired', CLEANING_INTERVAL_SECONDS, async () => {
    await auth.removeExpired()
    await idempotency.removeExpired()
    await money.prune()
  })
}
