import { type Feature, onChain } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { createAccountOf } from '../../money/books/accounts.ts'
import { withdrawalInvariants } from './invariants.ts'
import { withdrawalsRoutes } from './routes.ts'
import { createCarriedWithdrawals, type FirmBlock } from './sending/carried.ts'
import { withdrawalKind } from './sending/intent-kind.ts'
import type { OutcomeDeps } from './sending/outcomes.ts'
import { createPaymentCheck, type RefundedPaymentDeps } from './sending/refunded-payment.ts'
import { createSigning, type SigningDeps } from './sending/signing.ts'
import { createWithdrawalsService, type WithdrawalsDeps, type WithdrawalsService } from './service.ts'

const FOLLOW_UP_SECONDS = 30

interface Deps extends Ground {
  agents: { ownAgentOf: WithdrawalsDeps['agentOf']; walletLimitsOf: SigningDeps['limitsOf'] }
  owners: Pick<WithdrawalsDeps, 'walletOf'>
  paid: Pick<RefundedPaymentDeps, 'isPaid'>
}

export function defineFeature(deps: Deps): Feature<WithdrawalsService> {
  const { db, chain, intents, notify, agents, owners, happenings } = deps
  const { walletOf } = owners
  const withdrawals = createWithdrawalsService({ ...deps, agentOf: agents.ownAgentOf, walletOf })
  const outcomes: OutcomeDeps = {
    accountOf: createAccountOf(chain.facts),
    notify,
    refunds: {
      confirmed: (tx, refund) => happenings.announce(tx, 'refund.confirmed', refund),
      failed: (tx, refund) => happenings.announce(tx, 'refund.failed', refund),
      reopened: (tx, refund) => happenings.announce(tx, 'refund.reopened', refund),
    },
  }
  const sign = createSigning({ db, wallets: deps.wallets, limitsOf: agents.walletLimitsOf })
  const { chainId } = chain.facts
  const checkPayment = createPaymentCheck({ db, chainId, isPaid: deps.paid.isPaid })
  const carried = createCarriedWithdrawals({
    ...outcomes,
    db,
    chainId,
    intents,
    firmBlock: () => readFirmBlock(deps),
  })
  return {
    api: withdrawals,
    routes: withdrawalsRoutes({ withdrawals }),
    intentKinds: [withdrawalKind({ ...deps, ...outcomes, sign, checkPayment, carried })],
    eventHandlers: [onChain('AuthorizationUsed', carried.overrule, carried.undo)],
    ticks: [{ name: 'withdrawals', seconds: FOLLOW_UP_SECONDS, handler: carried.followUp, followsUp: true }],
    invariants: withdrawalInvariants,
  }
}

/** The sandbox's chain has no forks, and its clock goes on while no block is mined. */
async function readFirmBlock({ chain, sandbox, clock }: Deps): Promise<FirmBlock | undefined> {
  const safe = await chain.reader.getBlock('safe')
  return safe && { number: safe.number, time: sandbox?.chain ? clock.now() : new Date(safe.timestamp * 1000) }
}
