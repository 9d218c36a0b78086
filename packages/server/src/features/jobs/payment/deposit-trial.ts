import { AppError, formatMicro, invalidField, type SignedAuthorization } from '@agent-marketplace/contract'
import type { ChainPort, Hex } from '../../../ports/chain/port.ts'
import { termsOf } from '../lifecycle/escrow-terms.ts'
import type { JobRow } from '../lifecycle/job.ts'

/** The escrow's error for a key that it has seen before. */
export const TAKEN = 'WrongState'

export type TrialChain = Pick<
  ChainPort,
  'facts' | 'escrow' | 'usdc' | 'relay' | 'checksumAddress' | 'readSignature'
>

/** Whether a deposit would go through, found out before anything is decided; and why one did not, in the caller's words. */
export function createDepositTrial({ chain }: { chain: TrialChain }) {
  async function refusalOf(reason: string, job: JobRow): Promise<AppError> {
    if (/exceeds balance/i.test(reason)) {
      const available = await chain.usdc.balanceOf(job.clientWallet)
      return new AppError('INSUFFICIENT_BALANCE', {
        details: { available: formatMicro(available), required: formatMicro(job.priceMicro) },
      })
    }
    if (/signature/i.test(reason))
      return invalidField('signature', 'is not the client’s for this authorization')
    if (/expired|not yet valid/i.test(reason)) return invalidField('authorization.validBefore', reason)
    return new AppError('CONFLICT', { message: `The escrow refuses this deposit: ${reason}.` })
  }

  return {
    refusalOf,

    /** What was signed must be this job's deposit and nothing else; the field that is not says so. */
    checkFields(job: JobRow, { authorization, signature }: SignedAuthorization): void {
      const expected = {
        from: job.clientWallet,
        to: chain.facts.contracts.escrow,
        value: formatMicro(job.priceMicro),
        nonce: job.escrowKey ?? '',
      }
      for (const field of ['from', 'to', 'value', 'nonce'] as const) {
        if (authorization[field].toLowerCase() !== expected[field].toLowerCase()) {
          throw invalidField(
            `authorization.${field}`,
            `must be ${expected[field]}, as in paymentInfo.typedData`,
          )
        }
      }
      for (const field of ['validAfter', 'validBefore'] as const) {
        if (BigInt(authorization[field]) >= UINT256_LIMIT)
          throw invalidField(`authorization.${field}`, 'is too large')
      }
      // One that is good for longer could be sent, by anybody, when the job is long cancelled.
      const latest = depositEndsAt(job)
      if (BigInt(authorization.validBefore) > latest)
        throw invalidField(
          'authorization.validBefore',
          `must be at most ${latest}, as in paymentInfo.typedData`,
        )
      if (signature.length % 2 !== 0) throw invalidField('signature', 'is not a whole number of bytes')
    },

    /**
     * The chain itself says whether this deposit would go through: signature (also ERC-1271), balance, time and terms. A
     * smart wallet that is not deployed yet is deployed within the trial.
     * TAKEN: the escrow has this key already, so someone who has seen the signature was faster.
     */
    async run(job: JobRow, { authorization, signature }: SignedAuthorization): Promise<'FREE' | 'TAKEN'> {
      const read = chain.readSignature(signature)
      const call = chain.escrow.depositWithAuthorization({
        terms: termsOf(job, chain),
        validAfter: BigInt(authorization.validAfter),
        validBefore: BigInt(authorization.validBefore),
        signature: read.signature,
      })
      const trial = read.deployment
        ? await chain.relay.simulateInOrder({ sender: 'operator', calls: [read.deployment, call] })
        : await chain.relay.simulate({ sender: 'operator', call })
      const isOthers = 'results' in trial && trial.results[0]?.toLowerCase() !== asWord(job.clientWallet)
      if (read.deployment && isOthers)
        throw invalidField('signature', 'comes with a deployment of another wallet than the client’s')
      if (trial.status === 'refused' && trial.reason === TAKEN) return 'TAKEN'
      if (trial.status === 'refused') throw await refusalOf(trial.reason, job)
      if (trial.status === 'unanswered') {
        throw new AppError('UNAVAILABLE', {
          message: 'The chain is not responding right now.',
          cause: trial.cause,
        })
      }
      return 'FREE'
    },
  }
}

/** Until when a deposit may be signed, in Unix seconds: until the job must be paid. */
export const depositEndsAt = ({ fundBy }: Pick<JobRow, 'fundBy'>): bigint =>
  BigInt(Math.ceil(fundBy.getTime() / 1000))

const UINT256_LIMIT = 2n ** 256n

/** An address as a contract returns it. */
const asWord = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** The schema has checked that it is hex. */
export const asHex = (text: string): Hex => `0x${text.slice(2)}`
