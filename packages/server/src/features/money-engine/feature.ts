import { createTimeOfBooks } from '../../house/books/time-of-books.ts'
import type { Feature } from '../../house/feature.ts'
import type { Base, Ground } from '../../house/ground.ts'
import { moneyInvariants } from '../../money/audit/invariants.ts'
import { createMoneyEngine, type MoneyEngineOptions } from '../../money/engine.ts'
import { createGasBudget } from '../../money/limits/gas-budget.ts'
import { createSweep } from '../../money/roles/sweep.ts'

const SWEEP_SECONDS = 600
const LIMIT_SECONDS = 60

interface Deps extends Base, Pick<Ground, 'notify' | 'alert'> {
  jobs: { jobIdOf: NonNullable<MoneyEngineOptions['jobIdOf']> }
}

type Api = Pick<Ground, 'money' | 'intents' | 'followChain' | 'treasury' | 'timeOfBooks'>

/** Money: what is decided becomes an intent, and what happens on chain comes back as events. */
export function defineFeature(deps: Deps): Feature<Api> {
  const { config, db, log, clock, newId, chain, alert, moneyOptions } = deps
  // Rate limits stay on real time, and so does this one.
  const gasBudget = createGasBudget({
    db,
    clock: deps.wallClock,
    alert,
    limits: config.gasBudget,
    isEnforced: config.rateLimitsEnforced,
  })
  const money = createMoneyEngine({
    db,
    chain,
    log,
    newId,
    alert,
    gasBudget,
    endOfWaits: deps.drain.endOfWaits,
    jobIdOf: deps.jobs.jobIdOf,
    ...moneyOptions,
    settings: {
      ...(config.chain
        ? { startBlock: BigInt(config.chain.escrowStartBlock), agreeingResponses: 3 }
        : { batchSize: 200 }),
      ...moneyOptions?.settings,
    },
  })
  const { intents, roles } = money
  const sweep = createSweep({ db, clock, chain, intents, roles })
  return {
    api: {
      money,
      intents,
      followChain: async () => void (await money.runOnce()),
      treasury: () => roles.holderOf('treasury'),
      timeOfBooks: createTimeOfBooks(deps, money),
    },
    intentKinds: sweep.intentKinds,
    invariants: moneyInvariants,
    ticks: [
      { name: 'sweep', seconds: SWEEP_SECONDS, handler: sweep.runDue },
      { name: 'gas-budget', seconds: LIMIT_SECONDS, handler: gasBudget.lookAfter },
      { name: 'money-prune', seconds: LIMIT_SECONDS, handler: async () => void (await money.prune()) },
    ],
    gauges: [
      {
        name: 'money_jobs_set_aside',
        help: 'Jobs that were closed on chain and that the books never saw funded.',
        read: async () => (await money.status()).setAsideCount,
      },
      {
        name: 'money_is_operator',
        help: '1 while our key is the operator of the escrow, else 0.',
        read: async () => ((await roles.isOperator()) ? 1 : 0),
      },
      {
        name: 'gas_budget_used',
        help: 'Gas that users caused in this hour.',
        read: async () => Number(await gasBudget.usedGas()),
      },
      {
        name: 'gas_budget_limit',
        help: 'Gas that users may cause in an hour.',
        read: () => Number(gasBudget.limitGas()),
      },
      {
        name: 'gas_budget_refusals',
        help: 'Calls of this process that a gas budget refused.',
        read: gasBudget.refusals,
      },
    ],
  }
}
