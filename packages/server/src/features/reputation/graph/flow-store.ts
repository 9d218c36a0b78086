import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

export interface NewFlow {
  chainId: number
  txHash: string
  logIndex: number
  from: string
  to: string
  amountMicro: bigint
  at: Date
}

export async function insertFlow(tx: Queryable, flow: NewFlow): Promise<void> {
  await tx.run(sql`
    insert into wallet_flows (chain_id, tx_hash, log_index, from_wallet, to_wallet, amount_micro, at)
    values (${flow.chainId}, ${flow.txHash}, ${flow.logIndex}, ${flow.from}, ${flow.to}, ${flow.amountMicro}, ${flow.at})
    on conflict do nothing`)
}

export async function deleteFlow(
  tx: Queryable,
  { chainId, txHash, logIndex }: Pick<NewFlow, 'chainId' | 'txHash' | 'logIndex'>,
): Promise<void> {
  await tx.run(sql`
    delete from wallet_flows where chain_id = ${chainId} and tx_hash = ${txHash} and log_index = ${logIndex}`)
}

/** Everybody whom this wallet's money may have reached is scored again. */
export async function scoreAround(tx: Queryable, wallet: string): Promise<void> {
  await tx.run(sql`select score_around(${wallet})`)
}
