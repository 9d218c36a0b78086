import type { EscrowState, JobStatus } from '@agent-marketplace/contract'
import type { ChainEventOf, Outcome, Party } from '../../../ports/chain/port.ts'

/** The events of the escrow that say something about one job. */
export const jobEventNames = [
  'JobFunded',
  'WorkSubmitted',
  'ChangesRequested',
  'DisputeOpened',
  'SettlementProposed',
  'JobClosed',
  'OperatorDisabled',
] as const
export type JobEventName = (typeof jobEventNames)[number]
export type JobEvent = ChainEventOf<JobEventName>

export type Side = 'CLIENT' | 'SELLER'

/** What the chain says about a job, and nothing else: the sum of its events. Times are Unix seconds. */
export interface EscrowFacts {
  state: EscrowState
  changeRequests: number
  dueAt: number | null
  reviewEndsAt: number | null
  undecidedAt: number | null
  offer: { by: Side; sellerBps: number } | null
  /** The seller's part before the fee, in micro-units; null until the job is closed. */
  sellerGross: string | null
  /** Sides that have switched the operator off for this job. */
  actsAlone: Side[]
}

export const unfunded: EscrowFacts = {
  state: 'UNFUNDED',
  changeRequests: 0,
  dueAt: null,
  reviewEndsAt: null,
  undecidedAt: null,
  offer: null,
  sellerGross: null,
  actsAlone: [],
}

const closedStates = {
  released: 'RELEASED',
  refunded: 'REFUNDED',
  settled: 'SETTLED',
  ruled: 'RULED',
  expired: 'EXPIRED',
} as const satisfies Record<Exclude<Outcome, 'none'>, EscrowState>

/** How the escrow closed a job. */
export function closedStateOf({ key, outcome }: ChainEventOf<'JobClosed'>) {
  if (outcome === 'none') throw new Error(`job ${key} was closed without an outcome`)
  return closedStates[outcome]
}

export const sideOf = (party: Party): Side => (party === 'client' ? 'CLIENT' : 'SELLER')
export const partyOf = (side: Side): Party => (side === 'CLIENT' ? 'client' : 'seller')

export function foldEvent(facts: EscrowFacts, event: JobEvent): EscrowFacts {
  switch (event.name) {
    case 'JobFunded':
      return { ...facts, state: 'FUNDED', dueAt: event.terms.deadline || null }
    case 'WorkSubmitted':
      return { ...facts, state: 'SUBMITTED', reviewEndsAt: event.reviewEndsAt }
    case 'ChangesRequested':
      return {
        ...facts,
        state: 'FUNDED',
        changeRequests: event.count,
        dueAt: event.dueAt || null,
        reviewEndsAt: null,
      }
    case 'DisputeOpened':
      return { ...facts, state: 'DISPUTED', undecidedAt: event.undecidedAt }
    case 'SettlementProposed':
      return { ...facts, offer: { by: sideOf(event.by), sellerBps: event.sellerBps } }
    case 'JobClosed':
      return {
        ...facts,
        state: closedStateOf(event),
        sellerGross: (event.sellerNetMicro + event.feeMicro).toString(),
      }
    case 'OperatorDisabled':
      return { ...facts, actsAlone: [...facts.actsAlone, sideOf(event.party)] }
  }
}

export const isClosed = ({ sellerGross }: EscrowFacts): boolean => sellerGross !== null

/** The status that follows from the chain. An empty escrow says nothing about a job that was cancelled before. */
export function statusImpliedBy(facts: EscrowFacts, decidedStatus: JobStatus): JobStatus {
  switch (facts.state) {
    case 'UNFUNDED':
      return decidedStatus === 'CANCELLED' ? 'CANCELLED' : 'PENDING'
    case 'FUNDED':
      return 'IN_PROGRESS'
    case 'SUBMITTED':
      return 'UNDER_REVIEW'
    case 'DISPUTED':
      return 'DISPUTED'
    default:
      return facts.sellerGross === '0' ? 'CANCELLED' : 'COMPLETED'
  }
}

/** The share that was paid out, in hundredths of a percent. The contract rounds the amount down, so this rounds up. */
export function shareOf(sellerGrossMicro: bigint, priceMicro: bigint): number {
  return Number((sellerGrossMicro * 10_000n + priceMicro - 1n) / priceMicro)
}
