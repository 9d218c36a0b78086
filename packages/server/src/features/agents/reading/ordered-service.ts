import type { OrderedService } from '../../../house/ordered-service.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { offersOf } from '../offers.ts'
import { isHireable } from '../rules.ts'
import { findAgentsByWallet } from '../store.ts'

/** A service by its agent's wallet, in any letter case, and whether it can be ordered. */
export async function findOrderedService(
  db: Queryable,
  wallet: string,
  serviceId: string,
): Promise<OrderedService | undefined> {
  const [row] = await findAgentsByWallet(db, [wallet.toLowerCase()])
  const offer = row && offersOf(row).find(({ id }) => id === serviceId)
  if (!row || !offer) return undefined
  const { id, name, priceMicro, deliveryHours, terms } = offer
  return {
    id,
    name,
    priceMicro,
    deliveryHours,
    terms,
    x402Enabled: row.x402Enabled && offer.x402Enabled,
    agentId: row.id,
    isHireable: isHireable(row),
    isOffline: row.online === false,
    agent: {
      name: row.name,
      description: row.description,
      walletAddress: row.walletAddress,
      category: row.category,
      skills: row.skills,
    },
  }
}
