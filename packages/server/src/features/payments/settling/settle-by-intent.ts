import { formatMicro, parseMicro } from '@agent-marketplace/contract'
import { type Static, Type } from 'typebox'
import { DEPLOYMENT_GAS, type Deployment, deploymentKind } from '../../../house/deployments.ts'
import type { ChainEvent, IntentKind, Intents, Settlement } from '../../../money/intents/intents.ts'
import { findSignedHash, wasSigned } from '../../../money/sending/transaction-store.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ChainPort } from '../../../ports/chain/port.ts'
import type { RelayedSettlement, TransferPlace } from '../../../ports/payments/port.ts'
import { findPayment, type PaymentRow, paymentOf, saveLookUp } from '../store.ts'
import type { Conclusion } from './conclusion.ts'
import type { TakeGuestGas } from './guest-gas.ts'
import type { Settler } from './settler.ts'

const Payload = Type.Object({ paymentId: Type.String(), amountMicro: Type.String() })
type Payload = Static<typeof Payload>

/** Room for a smart wallet that checks its signature in Solidity; a plain wallet needs a fraction of it. */
const GAS_LIMIT = 600_000n

const PLAIN_WALLET_GAS = 120_000n
/** The token's error when the authorization was used before. */
const wasUsed = /is used|canceled/i

export function createIntentSettler(deps: {
  db: Database
  clock: Clock
  chain: Pick<ChainPort, 'isWalletFactory'>
  intents: Intents
  settlement: RelayedSettlement
  conclusion: Conclusion
  takeGuestGas: TakeGuestGas
}): Settler {
  const { db, clock, intents, settlement, conclusion } = deps
  const keyOf = (row: PaymentRow) => `x402:${row.chainId}:${row.token}:${row.payer}:${row.nonce}`

  const settle: IntentKind<Payload> = {
    kind: 'x402.settle',
    payload: Payload,
    sender: 'operator',
    finality: 'confirmed',
    gasLimit: GAS_LIMIT,
    amountMicro: ({ amountMicro }) => parseMicro(amountMicro),
    prepare: async ({ paymentId }) => settlement.prepare(paymentOf(await findPayment(db, paymentId))),
    async onSettled(tx, intent, { paymentId }, mined) {
      const row = await findPayment(tx, paymentId)
      await conclusion.settled(tx, row, transferOf(row, mined), intent.id)
    },
    async onRejected(tx, intent, { paymentId }, reason) {
      const row = await findPayment(tx, paymentId)
      // Anyone who sees an authorization can send it, before us or after we have failed. Once it was sent, only the chain
      // can say what became of it, and until it has ended nothing else may be requested: both would be paid.
      if (await wasSigned(tx, [intent.key])) await saveLookUp(tx, row.id, clock.now(), null)
      else if (wasUsed.test(reason)) await saveLookUp(tx, row.id, clock.now(), reasonOf(reason))
      else await conclusion.rejected(tx, row, reasonOf(reason))
    },
    async onReverted(tx, _intent, { paymentId }) {
      await conclusion.reverted(tx, await findPayment(tx, paymentId))
    },
  }

  return {
    intentKinds: [settle, deploymentKind('x402.deploy', deps.chain)],
    async begin(tx, row, { deployment, isContract, chargedTo }) {
      const key = keyOf(row)
      const gas = (isContract ? GAS_LIMIT : PLAIN_WALLET_GAS) + (deployment ? DEPLOYMENT_GAS : 0n)
      if (chargedTo.isGuest) await deps.takeGuestGas(tx, gas)
      const charge = { account: chargedTo.account, gas }
      const common = { requestId: row.requestId, ...(deployment ? { lane: `x402:${row.payer}` } : {}) }
      if (deployment) {
        const payload: Deployment = { to: deployment.to, data: deployment.data }
        await intents.create(tx, { ...common, kind: 'x402.deploy', key: `${key}:deploy`, payload })
      }
      const payload: Payload = { paymentId: row.id, amountMicro: formatMicro(row.amountMicro) }
      await intents.create(tx, { ...common, kind: 'x402.settle', key, payload, charge })
      tx.afterCommit(() => intents.kick())
    },
    async settle(row, { waitMs }) {
      const intent = await intents.find(db, keyOf(row))
      if (intent) await intents.waitFor(intent.id, waitMs)
    },
    findSent: (row) => findSignedHash(db, keyOf(row)),
    // The engine sends again by itself.
    sendAgain: async () => {},
    close: async () => {},
  }
}

/** The engine's reasons are contract errors; payers get those of the x402 protocol. */
function reasonOf(reason: string): string {
  if (/expired/i.test(reason)) return 'invalid_exact_evm_payload_authorization_valid_before'
  if (/balance/i.test(reason)) return 'invalid_exact_evm_insufficient_balance'
  if (wasUsed.test(reason)) return 'invalid_exact_evm_nonce_already_used'
  return 'invalid_exact_evm_transaction_failed'
}

function transferOf(
  row: PaymentRow,
  { txHash, blockNumber, blockHash, blockTime, events }: Settlement,
): TransferPlace {
  const transfer = events.find((event) => isTransferOf(row, event))
  if (!transfer) throw new Error(`transaction ${txHash} does not show the transfer of payment ${row.id}`)
  return {
    txHash: transfer.transactionHash,
    logIndex: transfer.logIndex,
    blockNumber,
    blockHash: blockHash as TransferPlace['blockHash'],
    blockTime,
  }
}

function isTransferOf(row: PaymentRow, event: ChainEvent): boolean {
  return (
    event.name === 'UsdcTransferred' &&
    event.from.toLowerCase() === row.payer &&
    event.to.toLowerCase() === row.payTo &&
    event.amountMicro === row.amountMicro
  )
}
