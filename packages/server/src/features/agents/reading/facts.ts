import type { Guardrails } from '../../../money/limits/guardrail-rules.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { findAgent, findAgentsByWallet } from '../lookup-store.ts'
import { hiddenReasonsOf, isHireable } from '../rules.ts'
import type { AgentRow } from '../store.ts'

/** An agent as other features know it. */
export interface AgentFacts {
  id: string
  ownerId: string
  name: string
  walletAddress: string
  /** Names the wallet to its provider. */
  walletId: string
  isHireable: boolean
  /** Whether lists and search show it. */
  isListed: boolean
  guardrails: Guardrails
}

/** By its id, or by its wallet in any letter case. */
export async function findFacts(db: Queryable, idOrWallet: string): Promise<AgentFacts | undefined> {
  if (!idOrWallet.startsWith('0x')) return factsOf(await findAgent(db, idOrWallet))
  const [row] = await findAgentsByWallet(db, [idOrWallet.toLowerCase()])
  return factsOf(row)
}

/** Undefined unless the agent is this owner's. */
export async function findOwnFacts(
  db: Queryable,
  agentId: string,
  ownerId: string,
): Promise<AgentFacts | undefined> {
  const facts = await findFacts(db, agentId)
  return facts?.ownerId === ownerId ? facts : undefined
}

function factsOf(row: AgentRow | undefined): AgentFacts | undefined {
  if (!row) return undefined
  return {
    id: row.id,
    ownerId: row.ownerId,
    name: row.name,
    walletAddress: row.walletAddress,
    walletId: row.providerWalletId,
    isHireable: isHireable(row),
    isListed: hiddenReasonsOf(row).length === 0,
    guardrails: {
      perTxLimitMicro: row.perTxLimitMicro,
      sessionCapMicro: row.sessionCapMicro,
      allowedSkills: row.allowedSkills ?? [],
    },
  }
}
