import { Type } from 'typebox'
import type { IntentKind, Intents, NewIntent } from '../../../money/intents/intents.ts'
import { IntentRejected } from '../../../money/intents/intents.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Notify } from '../../../platform/notices/notice.ts'
import type { PreparedCall } from '../../../ports/chain/port.ts'
import { findAgent, lockAgent } from '../lookup-store.ts'
import type { AgentRow } from '../store.ts'
import { handOverKey, setWalletIntent } from './identity.ts'
import { saveOnChainId } from './state-store.ts'

/** The calls on the identity registry (ERC-8004) that registering needs. */
export interface AgentRegistry {
  /** As `eip155:<chainId>:<address>`. */
  reference: string
  /** Who registers, and writes feedback for clients, as `eip155:<chainId>:<address>`. */
  operator: string
  register(input: { agentUri: string }): PreparedCall
  /** Gives the operator's token to its agent's owner. */
  transfer(input: { onChainAgentId: bigint; to: string }): PreparedCall
}

export interface RegistrationDeps {
  db: Queryable
  registry: AgentRegistry
  publicUrl: URL
  intents: Pick<Intents, 'create'>
  notify: Notify
  walletOf: (db: Queryable, ownerId: string) => Promise<string>
  /** Called in the transaction that stores the on-chain id. */
  onRegistered: (tx: Transaction, agent: AgentRow) => Promise<void>
}

const REGISTER_GAS = 600_000n
/** What registering and handing over use together. */
const CHARGED_GAS = 400_000n

interface RegisterPayload {
  agentId: string
}

interface HandOverPayload {
  agentId: string
  onChainAgentId: string
}

/** One registration per agent, forever. The quota that an owner has paid for pays for as many registrations an hour. */
export function registrationIntent(
  agentId: string,
  { ownerId, quota }: { ownerId: string; quota: number },
  requestId: string | null,
): NewIntent {
  const charge = { account: ownerId, gas: CHARGED_GAS, paidFor: BigInt(quota) * CHARGED_GAS }
  return { kind: 'agent.register', key: `agent.register:${agentId}`, payload: { agentId }, requestId, charge }
}

function registrationFileUrl(publicUrl: URL, walletAddress: string): string {
  return new URL(`/api/agents/${walletAddress}/registration.json`, publicUrl).href
}

/**
 * The operator registers the agent and then hands its token to the seller's own wallet. With the transfer the registry
 * forgets the operator as the agent's payment wallet, and the operator may write reviews, which an owner may not.
 */
export function registrationKinds(deps: RegistrationDeps): IntentKind[] {
  return [registerKind(deps), handOverKind(deps)]
}

function registerKind(deps: RegistrationDeps): IntentKind<RegisterPayload> {
  return {
    kind: 'agent.register',
    payload: Type.Object({ agentId: Type.String() }),
    sender: 'operator',
    finality: 'confirmed',
    gasLimit: REGISTER_GAS,
    async prepare({ agentId }) {
      const agent = await existing(deps.db, agentId)
      return deps.registry.register({ agentUri: registrationFileUrl(deps.publicUrl, agent.walletAddress) })
    },
    async onSettled(tx, intent, { agentId }, { events }) {
      const registered = events.find((event) => event.name === 'AgentRegistered')
      if (!registered) throw new Error(`The transaction of ${intent.key} registered no agent`)
      await lockAgent(tx, agentId)
      const agent = await saveOnChainId(tx, agentId, registered.agentId)
      const onChainAgentId = registered.agentId.toString()
      // After a reorganisation the agent may come back under another number, which is then handed over by itself.
      await deps.intents.create(tx, {
        kind: 'agent.hand-over',
        key: handOverKey(agentId, onChainAgentId),
        payload: { agentId, onChainAgentId },
        requestId: intent.requestId,
      })
      await deps.onRegistered(tx, agent)
    },
    async onReverted(tx, _intent, { agentId }) {
      await saveOnChainId(tx, agentId, null)
    },
    async onRejected(tx, _intent, { agentId }, reason) {
      const agent = await existing(tx, agentId)
      await deps.notify(tx, {
        ownerId: agent.ownerId,
        type: 'SYSTEM_ALERT',
        title: 'Registration on chain failed',
        message: `${agent.name} could not be registered on chain (${reason}). It can be hired and paid all the same.`,
        link: `/agents/${agent.walletAddress}`,
      })
    },
  }
}

function handOverKind(deps: RegistrationDeps): IntentKind<HandOverPayload> {
  return {
    kind: 'agent.hand-over',
    payload: Type.Object({ agentId: Type.String(), onChainAgentId: Type.String({ pattern: '^[0-9]+$' }) }),
    sender: 'operator',
    finality: 'confirmed',
    async prepare({ agentId, onChainAgentId }) {
      const { ownerId } = await existing(deps.db, agentId)
      const to = await deps.walletOf(deps.db, ownerId)
      return deps.registry.transfer({ onChainAgentId: BigInt(onChainAgentId), to })
    },
    // A smart account that takes no tokens, for example. The token stays with the operator, who can name the wallet.
    async onRejected(tx, _intent, { agentId, onChainAgentId }) {
      await deps.intents.create(tx, setWalletIntent(agentId, onChainAgentId))
    },
  }
}

async function existing(db: Queryable, agentId: string): Promise<AgentRow> {
  const agent = await findAgent(db, agentId)
  if (!agent) throw new IntentRejected(`there is no agent ${agentId}`)
  return agent
}
