import { type Static, Type } from 'typebox'
import { type IntentKind, IntentRejected } from '../../../money/intents/intents.ts'
import type { ArbiterSafe, Ruling } from '../../../ports/chain/port.ts'
import type { Audit } from '../audit.ts'
import { isArbiter } from '../rules.ts'
import { saveExecuted, saveFailed, saveSignedAgain } from './ruling-store.ts'

export const RULING_KIND = 'arbiter.rule'

const HexText = Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x[0-9a-fA-F]+$' })

export const RulingOrder = Type.Object({
  proposalId: Type.String(),
  jobId: Type.String(),
  escrowKey: HexText,
  sellerBps: Type.Integer({ minimum: 0, maximum: 10_000 }),
  safeNonce: Type.String({ pattern: '^[0-9]+$' }),
  signatures: Type.Array(Type.Object({ owner: HexText, signature: HexText })),
})
export type RulingOrder = Static<typeof RulingOrder>

export const rulingKeyOf = (proposalId: string): string => `${RULING_KIND}:${proposalId}`

/**
 * Has the Safe execute what its owners signed. The service only carries it: the Safe checks the signatures, and the
 * escrow pays. What the ruling did to the job comes from the escrow's own event.
 */
export function rulingKind({
  safe,
  readArbiter,
  audit,
}: {
  safe: ArbiterSafe
  readArbiter: () => Promise<string>
  audit: Audit
}): IntentKind<RulingOrder> {
  const subjectOf = ({ jobId }: RulingOrder) => ({ subjectType: 'job', subjectId: jobId }) as const

  return {
    kind: RULING_KIND,
    payload: RulingOrder,
    sender: 'operator',

    async prepare(order) {
      const ruling: Ruling = {
        escrowKey: order.escrowKey,
        sellerBps: order.sellerBps,
        safeNonce: BigInt(order.safeNonce),
      }
      if (!isArbiter(safe, await readArbiter())) throw new IntentRejected('ARBITER_CHANGED')
      const { nonce } = await safe.readState()
      if (nonce > ruling.safeNonce) throw new IntentRejected('SAFE_NONCE_USED')
      return safe.executionOf(ruling, order.signatures)
    },

    async onSettled(tx, _intent, order, { txHash }) {
      await saveExecuted(tx, order.proposalId, txHash)
      const after = { status: 'EXECUTED', sellerBps: order.sellerBps, txHash }
      await audit.record(tx, 'service', {
        action: 'ruling.executed',
        ...subjectOf(order),
        before: { status: 'SIGNED' },
        after,
      })
    },

    async onRejected(tx, { txHash }, order, reason) {
      await saveFailed(tx, order.proposalId, { reason, txHash })
      await audit.record(tx, 'service', {
        action: 'ruling.failed',
        ...subjectOf(order),
        before: { status: 'SIGNED' },
        after: { status: 'FAILED' },
        reason,
      })
    },

    async onReverted(tx, _intent, order) {
      await saveSignedAgain(tx, { id: order.proposalId, jobId: order.jobId })
      await audit.record(tx, 'service', {
        action: 'ruling.reopened',
        ...subjectOf(order),
        before: {},
        after: { status: 'SIGNED' },
        reason: 'The chain was reorganised.',
      })
    },
  }
}
