import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SealedRows } from '../../platform/sealing/reseal.ts'

export interface SealedWallet {
  address: string
  sealedKey: string
  perTxLimitMicro: bigint | undefined
}

/** Where the embedded adapter keeps sealed keys. */
export interface SealedKeyStore {
  load(agentId: string): Promise<SealedWallet | undefined>
  /** The first save of an agent stands; resolves to what is kept, so that two at once end with one wallet. */
  save(agentId: string, wallet: SealedWallet): Promise<SealedWallet>
  /** False when the agent has no wallet. */
  changeLimit(agentId: string, perTxLimitMicro: bigint | undefined): Promise<boolean>
}

/** A key moved to another agent or address does not open. */
export const sealOwnerOf = (agentId: string, address: string): string =>
  JSON.stringify([agentId, address.toLowerCase()])

interface WalletRow {
  address: string
  sealedKey: string
  perTxLimitMicro: bigint | null
}

export function createSealedKeyStore(db: Queryable): SealedKeyStore {
  const load = async (agentId: string): Promise<SealedWallet | undefined> => {
    const row = await db.maybeOne<WalletRow>(sql`
      select address, sealed_key, per_tx_limit_micro from agent_wallet_keys where agent_id = ${agentId}`)
    return row && walletOf(row)
  }

  return {
    load,

    async save(agentId, { address, sealedKey, perTxLimitMicro }) {
      await db.run(sql`
        insert into agent_wallet_keys (agent_id, address, sealed_key, per_tx_limit_micro)
        values (${agentId}, ${address}, ${sealedKey}, ${perTxLimitMicro ?? null})
        on conflict (agent_id) do nothing`)
      const kept = await load(agentId)
      if (kept === undefined) throw new Error('A sealed key vanished after it was saved')
      return kept
    },

    async changeLimit(agentId, perTxLimitMicro) {
      const changed = await db.run(sql`
        update agent_wallet_keys set per_tx_limit_micro = ${perTxLimitMicro ?? null} where agent_id = ${agentId}`)
      return changed === 1
    },
  }
}

export function sealedWalletKeys(db: Queryable): SealedRows {
  return {
    async listUnderOtherKeys(keyId, { after, count }) {
      const rows = await db.rows<WalletRow & { agentId: string }>(sql`
        select agent_id, address, sealed_key, per_tx_limit_micro from agent_wallet_keys
        where agent_id > ${after} and not starts_with(sealed_key, ${`${keyId}.`})
        order by agent_id limit ${count}`)
      return rows.map(({ agentId, address, sealedKey }) => ({
        id: agentId,
        owner: sealOwnerOf(agentId, address),
        sealed: sealedKey,
      }))
    },

    async replace({ id, sealed: former }, sealed) {
      const changed = await db.run(sql`
        update agent_wallet_keys set sealed_key = ${sealed} where agent_id = ${id} and sealed_key = ${former}`)
      return changed === 1
    },
  }
}

function walletOf({ address, sealedKey, perTxLimitMicro }: WalletRow): SealedWallet {
  return { address, sealedKey, perTxLimitMicro: perTxLimitMicro ?? undefined }
}
