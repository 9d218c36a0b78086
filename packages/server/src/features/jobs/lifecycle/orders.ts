import { formatMicro } from '@agent-marketplace/contract'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { NewIntent } from '../../../money/intents/intents.ts'
import type { JobRow } from './job.ts'
import type { EscrowEffect } from './moves/transitions.ts'

const Hex = Type.String({ pattern: '^0x[0-9a-fA-F]*$' })
const Digits = Type.String({ pattern: '^[0-9]+$' })

/** What the operator is to do in the escrow for one job: the payload of its intents. */
export const EscrowOrder = Type.Object({
  jobId: Type.String(),
  key: Hex,
  amount: Digits,
  onBehalfOf: Type.Optional(Type.Union([Type.Literal('client'), Type.Literal('seller')])),
  sellerBps: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  deliveryHash: Type.Optional(Hex),
  deposit: Type.Optional(
    Type.Object({ validAfter: Digits, validBefore: Digits, signature: Hex, terms: termsSchema() }),
  ),
})
export type EscrowOrder = Static<typeof EscrowOrder>

function termsSchema() {
  return Type.Object({
    jobRef: Hex,
    client: Hex,
    seller: Hex,
    agentWallet: Hex,
    amount: Digits,
    deadline: Type.Integer({ minimum: 0 }),
  })
}

const orderSchema = Compile(EscrowOrder)

/** The order that an intent carries. */
export function readOrder(payload: unknown): EscrowOrder {
  if (!orderSchema.Check(payload)) throw new TypeError('the payload is no order to the escrow')
  return payload
}

/** Before a deposit: the smart wallet that pays is not deployed yet. */
export const DEPLOY_CLIENT = 'escrow.deployClient'

export const isDeposit = (intentKey: string): boolean => intentKey.startsWith('escrow.deposit:')

/** The order that the newest decision gave; undefined when it gave none. */
export const orderIn = ({ openIntents, decisions }: Pick<JobRow, 'openIntents' | 'decisions'>) =>
  openIntents.find((key) => key.endsWith(`:${decisions}`))

/** The number of the decision makes its order unique; the lane keeps the orders of one job in their order. */
export function orderOf(
  effect: EscrowEffect,
  job: JobRow,
  requestId: string | null,
  rest: Partial<EscrowOrder> = {},
): NewIntent {
  if (job.escrowKey === null) throw new Error(`job ${job.id} has no escrow`)
  return {
    kind: effect,
    key: `${effect}:${job.id}:${job.decisions}`,
    payload: { jobId: job.id, key: job.escrowKey, amount: formatMicro(job.priceMicro), ...rest },
    requestId,
    lane: `job:${job.id}`,
  }
}
