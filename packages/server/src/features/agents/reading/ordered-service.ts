import type { OrderedService } from '../../../house/services/ordered-service.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { findAgentsByWallet } from '../lookup-store.ts'
import { offersOf } from '../offers.ts'
import { isHireable } from '../rules.ts'

/** The services of an agent by its wallet, in any letter case, and whether they can be ordered. */
export async function findOrderedServices(db: Queryable, wallet: string): Promise<OrderedService[]> {
  const [row] = await findAgentsByWallet(db, [wallet.toLowerCase()])
  if (!row) return []
  return offersOf(row).map(({ id, name, priceMicro, deliveryHours, terms, x402Enabled }) => ({
    id,
    name,
    priceMicro,
    deliveryHours,
    terms,
    x402Enabled: row.x402Enabled && x402Enabled,
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
  }))
}

export async function findOrderedService(
  db: Queryable,
  wallet: string,
  serviceId: string,
): Promise<OrderedService | undefined> {
  return (await findOrderedServices(db, wallet)).find(({ id }) => id === serviceId)
}
