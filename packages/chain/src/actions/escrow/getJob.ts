import type { Address, Client, Hex } from 'viem'
import { readContract } from 'viem/actions'
import { escrowAbi } from '../../abis.ts'
import { type JobState, jobStateAt, type Outcome, outcomeAt, type Party, partyAt } from '../../escrowEnums.ts'
import type { JobTerms } from '../../escrowJob.ts'

/** A job as the escrow keeps it. Times are Unix seconds, and undefined where they do not apply. */
export type EscrowJob = {
  key: Hex
  terms: JobTerms
  state: Exclude<JobState, 'none'>
  outcome: Outcome
  changeRequests: number
  dueAt: number | undefined
  reviewEndsAt: number | undefined
  undecidedAt: number | undefined
  offer: { by: Party; sellerBps: number } | undefined
  clientActsAlone: boolean
  sellerActsAlone: boolean
}

/** The job under `key`, or undefined when none was ever funded there. */
export const getJob = async (
  client: Client,
  { escrow, key, blockNumber }: { escrow: Address; key: Hex; blockNumber?: bigint },
): Promise<EscrowJob | undefined> => {
  const job = await readContract(client, {
    address: escrow,
    abi: escrowAbi,
    functionName: 'jobOf',
    args: [key],
    blockNumber,
  })
  const state = jobStateAt(job.state)
  if (state === 'none') return undefined
  const { amount, deadline, ...parties } = job.terms
  return {
    key,
    terms: { ...parties, amountMicro: amount, deadline: Number(deadline) },
    state,
    outcome: outcomeAt(job.outcome),
    changeRequests: job.changeRequests,
    dueAt: timeOrNone(job.dueAt),
    reviewEndsAt: timeOrNone(job.reviewEndsAt),
    undecidedAt: timeOrNone(job.undecidedAt),
    offer: job.offeredBy === 0 ? undefined : { by: partyAt(job.offeredBy), sellerBps: job.offeredBps },
    clientActsAlone: job.clientActsAlone,
    sellerActsAlone: job.sellerActsAlone,
  }
}

const timeOrNone = (seconds: bigint): number | undefined => (seconds === 0n ? undefined : Number(seconds))
