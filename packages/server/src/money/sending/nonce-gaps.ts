import { Type } from 'typebox'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ChainPort, Hex, SenderName } from '../../ports/chain/port.ts'
import type { Intents } from '../intents/intents.ts'
import type { MoneySettings } from '../money-deps.ts'
import { lockSigner } from './signer-store.ts'
import { storeTransactions } from './transaction-store.ts'

const GAS = 21_000n
const MOST_AT_ONCE = 20

export interface NonceGaps {
  /**
   * Fills nonces that were never given out although later ones were: nothing after them can be mined. Returns how many.
   * `minedNonce` is where the chain says it stands, at the block `headNumber`.
   */
  fill(sender: SenderName, seen: { minedNonce: number; headNumber: bigint }): Promise<number>
}

interface NonceGapsDeps {
  db: Database
  chain: Pick<ChainPort, 'facts' | 'relay'>
  intents: Pick<Intents, 'register' | 'create'>
  settings: Pick<MoneySettings, 'agreeingResponses'>
}

const kindOf = (sender: SenderName): string => `${sender}.fillNonce`

/** A gap is filled with an empty transaction, which is an intent like any other: stored before it is sent, and looked up. */
export function createNonceGaps({ db, chain, intents, settings }: NonceGapsDeps): NonceGaps {
  const { relay } = chain
  const { chainId } = chain.facts
  const emptyCall = (sender: SenderName) => ({ to: relay.addressOf(sender), data: '0x' as Hex, value: 0n })
  const looks = new Map<SenderName, { nonce: number; count: number; block: bigint }>()

  for (const sender of ['operator', 'spender'] as const) {
    intents.register<{ nonce: number }>({
      kind: kindOf(sender),
      payload: Type.Object({ nonce: Type.Integer() }),
      sender,
      gasLimit: GAS,
      prepare: async () => emptyCall(sender),
    })
  }

  const listGaps = async (address: Hex, minedNonce: number): Promise<number[]> => {
    const rows = await db.rows<{ nonce: bigint }>(sql`
      select n.nonce from generate_series(${minedNonce}::bigint, (
        select max(nonce) from chain_transactions
        where chain_id = ${chainId} and sender = ${address} and status = 'OPEN')) as n (nonce)
      where not exists (select 1 from chain_transactions t
        where t.chain_id = ${chainId} and t.sender = ${address} and t.nonce = n.nonce)
      order by n.nonce limit ${MOST_AT_ONCE}`)
    return rows.map(({ nonce }) => Number(nonce))
  }

  /** A node that lags says less than the chain has seen: several blocks must show the same gap. */
  const isBelieved = (sender: SenderName, nonce: number, block: bigint): boolean => {
    const last = looks.get(sender)
    const isSame = last?.nonce === nonce
    if (isSame && block <= last.block) return false
    const count = isSame ? last.count + 1 : 1
    looks.set(sender, { nonce, count, block })
    return count >= settings.agreeingResponses
  }

  return {
    async fill(sender, { minedNonce, headNumber }) {
      const signer = { chainId, address: relay.addressOf(sender) }
      const [first, ...others] = await listGaps(signer.address, minedNonce)
      if (first === undefined || !isBelieved(sender, first, headNumber)) return 0
      await relay.assertChain()
      const fees = await relay.getFees()
      const nonces = [first, ...others]
      await db.transaction(async (tx) => {
        await lockSigner(tx, signer)
        const call = emptyCall(sender)
        for (const nonce of nonces) {
          const key = `${kindOf(sender)}:${chainId}:${signer.address}:${nonce}`
          const { id: intentId } = await intents.create(tx, {
            kind: kindOf(sender),
            key,
            payload: { nonce },
            requestId: null,
          })
          const [taken] = await tx.rows(sql`
            select 1 from chain_transactions where chain_id = ${chainId} and sender = ${signer.address} and nonce = ${nonce}`)
          if (taken !== undefined) continue
          await tx.run(sql`update intents set status = 'SUBMITTED' where id = ${intentId}`)
          const { hash, rawTransaction } = await relay.sign({ sender, call, nonce, gas: GAS, fees })
          await storeTransactions(
            tx,
            signer,
            [{ nonce, intentId, txHash: hash, rawTransaction, gas: GAS, fees, call }],
            0,
          )
        }
      })
      return nonces.length
    },
  }
}
