import { type AgentIdentity, AppError } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import {
  type IntentKind,
  IntentRejected,
  type Intents,
  type NewIntent,
} from '../../../money/intents/intents.ts'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Hex, PreparedCall, RegistryEntry } from '../../../ports/chain/port.ts'
import type { WalletsPort } from '../../../ports/wallets/port.ts'
import { findAgent } from '../lookup-store.ts'
import type { AgentRow } from '../store.ts'
import { askProvider } from './provider.ts'

/** The calls on the identity registry (ERC-8004) that name an agent's wallet. */
export interface IdentityRegistry {
  /** As `eip155:<chainId>:<address>`. */
  reference: string
  operator: string
  entryOf(onChainAgentId: bigint): Promise<RegistryEntry | undefined>
  setWallet(input: { onChainAgentId: bigint; wallet: string; deadline: bigint; signature: Hex }): PreparedCall
}

export interface IdentityDeps {
  db: Queryable
  clock: Clock
  registry: IdentityRegistry
  wallets: Pick<WalletsPort, 'signConsent'>
  intents: Pick<Intents, 'create' | 'find'>
  walletOf: (db: Queryable, ownerId: string) => Promise<string>
  timeOfChain: () => Promise<Date>
}

/** The registry accepts deadlines up to five minutes ahead by its own time. The rest allows for our clock running ahead. */
const CONSENT_SECONDS = 240

interface SetWalletPayload {
  agentId: string
  onChainAgentId: string
}

export const handOverKey = (agentId: string, onChainAgentId: string): string =>
  `agent.hand-over:${agentId}:${onChainAgentId}`

/** For a token that could not be handed over: the platform owns it, so it names the wallet itself. */
export function setWalletIntent(agentId: string, onChainAgentId: string): NewIntent {
  return {
    kind: 'agent.set-wallet',
    key: `agent.set-wallet:${agentId}:${onChainAgentId}`,
    payload: { agentId, onChainAgentId },
    requestId: null,
  }
}

/** The wallet that the registry names for an agent. A transfer of the token clears it, so it is set after the hand-over. */
export function createIdentity(deps: IdentityDeps) {
  const { db, clock, registry, wallets, intents } = deps

  const consentOf = async (
    { providerWalletId: walletId }: AgentRow,
    onChainAgentId: bigint,
    owner: string,
  ) => {
    const chainTime = await deps.timeOfChain()
    const now = new Date(Math.max(chainTime.getTime(), clock.now().getTime()))
    const validUntil = addSeconds(now, CONSENT_SECONDS)
    const deadline = BigInt(Math.floor(validUntil.getTime() / 1000))
    const consent = { onChainAgentId, owner, deadline }
    const signature = await askProvider(() => wallets.signConsent({ walletId, consent }))
    return { deadline, signature, validUntil }
  }

  const callOf = async (agent: AgentRow, onChainAgentId: bigint, owner: string) => {
    const { deadline, signature, validUntil } = await consentOf(agent, onChainAgentId, owner)
    const wallet = agent.walletAddress
    return { call: registry.setWallet({ onChainAgentId, wallet, deadline, signature }), validUntil }
  }

  const holderOf = async ({ ownerId }: AgentRow, { owner }: RegistryEntry) => {
    if (isOperator(owner, registry)) return 'PLATFORM'
    return isSame(owner, await deps.walletOf(db, ownerId)) ? 'SELLER' : 'OTHER'
  }

  const identityOf = async (agent: AgentRow): Promise<AgentIdentity> => {
    const { onChainAgentId } = agent
    const entry = onChainAgentId === null ? undefined : await registry.entryOf(onChainAgentId)
    const common = { onChainAgentId: onChainAgentId?.toString() ?? null, registry: registry.reference }
    if (!entry) {
      const nothing = { tokenOwner: null, heldBy: null, registeredWallet: null }
      return { ...common, ...nothing, walletState: 'NOT_REGISTERED' }
    }
    const heldBy = await holderOf(agent, entry)
    const isSet = entry.wallet !== undefined && isSame(entry.wallet, agent.walletAddress)
    return {
      ...common,
      tokenOwner: entry.owner,
      heldBy,
      registeredWallet: entry.wallet ?? null,
      walletState: isSet ? 'SET' : heldBy === 'PLATFORM' ? 'PENDING' : 'MISSING',
    }
  }

  return {
    identityOf,

    /** The call for the token's owner to send; undefined where there is nothing for it to do. */
    async prepare(agent: AgentRow) {
      const identity = await identityOf(agent)
      const { onChainAgentId } = agent
      if (onChainAgentId === null || identity.tokenOwner === null) throw notRegistered()
      if (identity.walletState !== 'MISSING') return { identity, prepared: undefined }
      return { identity, prepared: await callOf(agent, onChainAgentId, identity.tokenOwner) }
    },

    /** Names the wallet where the token could not be handed over; a repeated call creates no second intent. */
    async setByItself(
      tx: Transaction,
      agentId: string,
      { onChainAgentId, heldBy, walletState }: AgentIdentity,
    ) {
      if (onChainAgentId === null || heldBy !== 'PLATFORM' || walletState === 'SET') return
      const handOver = await intents.find(tx, handOverKey(agentId, onChainAgentId))
      if (handOver?.status === 'REJECTED') await intents.create(tx, setWalletIntent(agentId, onChainAgentId))
    },

    intentKind: {
      kind: 'agent.set-wallet',
      payload: Type.Object({ agentId: Type.String(), onChainAgentId: Type.String({ pattern: '^[0-9]+$' }) }),
      sender: 'operator',
      finality: 'confirmed',
      isOwed: () => true,
      async prepare({ agentId, onChainAgentId }) {
        const agent = await findAgent(db, agentId)
        const entry = await registry.entryOf(BigInt(onChainAgentId))
        if (!agent || !entry || !isOperator(entry.owner, registry))
          throw new IntentRejected(`the platform does not hold the token ${onChainAgentId}`)
        return (await callOf(agent, BigInt(onChainAgentId), entry.owner)).call
      },
    } satisfies IntentKind<SetWalletPayload>,
  }
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
const isOperator = (owner: string, { operator }: IdentityRegistry): boolean =>
  isSame(operator.slice(-owner.length), owner)

function notRegistered(): AppError<'INVALID_STATE'> {
  return new AppError('INVALID_STATE', {
    message: 'This agent is not registered on chain yet.',
    details: { status: 'NOT_REGISTERED', allowed: ['MISSING'] },
  })
}
