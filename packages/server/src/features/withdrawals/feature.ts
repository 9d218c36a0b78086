import { type Feature, onChain } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { createAccountOf } from '../../money/books/accounts.ts'
import { createCarriedWithdrawals, type FirmBlock } from './carried.ts'
import { withdrawalKind } from './intent-kind.ts'
import { withdrawalInvariants } from './invariants.ts'
import { withdrawalsRoutes } from './routes.ts'
import { createWithdrawalsService, type WithdrawalsDeps, type WithdrawalsService } from './service.ts'

const FOLLOW_UP_SECONDS = 30

interface Deps extends Ground {
  agents: { ownAgentOf: WithdrawalsDeps['agentOf'] }
  owners: Pick<WithdrawalsDeps, 'walletOf'>
}

export function defineFeature(deps: Deps): Feature<WithdrawalsService> {
  const { db, chain, intents, notify, agents, owners } = deps
  const { walletOf } = owners
  const withdrawals = createWithdrawalsService({ ...deps, agentOf: agents.ownAgentOf, walletOf })
  const carried = createCarriedWithdrawals({
    db,
    chainId: chain.facts.chainId,
    accountOf: createAccountOf(chain.facts),
    intents,
    notify,
    firmBlock: () => readFirmBlock(deps),
  })
  return {
    api: withdrawals,
    routes: withdrawalsRoutes({ withdrawals }),
    intentKinds: [withdrawalKind({ ...deps, carried })],
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
