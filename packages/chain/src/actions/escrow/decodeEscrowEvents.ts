import type { Address, Hex, Log } from 'viem'
import { type EventPlace, placeOf, sentBy } from '../../chainEvent.ts'
import { createEventParser } from '../../createEventParser.ts'
import { type Outcome, outcomeAt, type Party, partyAt } from '../../escrowEnums.ts'
import type { JobTerms } from '../../escrowJob.ts'
import { escrowEvents } from '../../generated/events.ts'

type RoleName = 'arbiter' | 'operator' | 'treasury'

export type EscrowEvent = EventPlace &
  (
    | { name: 'JobFunded'; key: Hex; terms: JobTerms; feeBps: number }
    | { name: 'WorkSubmitted'; key: Hex; deliveryHash: Hex; reviewEndsAt: number }
    | { name: 'ChangesRequested'; key: Hex; count: number; dueAt: number }
    | { name: 'DisputeOpened'; key: Hex; by: Party; undecidedAt: number }
    | { name: 'SettlementProposed'; key: Hex; by: Party; sellerBps: number }
    | {
        name: 'JobClosed'
        key: Hex
        outcome: Outcome
        sellerNetMicro: bigint
        feeMicro: bigint
        refundedMicro: bigint
      }
    | { name: 'OperatorDisabled'; key: Hex; party: Party }
    | { name: 'PaymentDeferred' | 'PaymentClaimed'; recipient: Address; amountMicro: bigint }
    | { name: 'RoleProposed'; role: RoleName; proposer: Address; proposed: Address }
    | { name: 'RoleChanged'; role: RoleName; previous: Address; current: Address }
  )

const parse = createEventParser(escrowEvents)

/** The escrow's own events among `logs`, in their order; logs of other contracts and unknown events are passed over. */
export const decodeEscrowEvents = ({ escrow, logs }: { escrow: Address; logs: Log[] }): EscrowEvent[] =>
  parse(sentBy(escrow, logs)).map((log) => ({
    ...placeOf(log),
    ...decode(log),
  }))

type EscrowLog = ReturnType<typeof parse>[number]

const decode = (log: EscrowLog) => {
  switch (log.eventName) {
    case 'JobFunded': {
      const { key, feeBps, amount, deadline, jobRef, client, seller, agentWallet } = log.args
      const terms = { jobRef, client, seller, agentWallet, amountMicro: amount, deadline: Number(deadline) }
      return { name: log.eventName, key, feeBps, terms }
    }
    case 'WorkSubmitted':
      return { name: log.eventName, ...log.args, reviewEndsAt: Number(log.args.reviewEndsAt) }
    case 'ChangesRequested':
      return { name: log.eventName, ...log.args, dueAt: Number(log.args.dueAt) }
    case 'DisputeOpened': {
      const { key, by, undecidedAt } = log.args
      return { name: log.eventName, key, by: partyAt(by), undecidedAt: Number(undecidedAt) }
    }
    case 'SettlementProposed':
      return { name: log.eventName, ...log.args, by: partyAt(log.args.by) }
    case 'JobClosed': {
      const { key, outcome, sellerNet, fee, refunded } = log.args
      return {
        name: log.eventName,
        key,
        outcome: outcomeAt(outcome),
        sellerNetMicro: sellerNet,
        feeMicro: fee,
        refundedMicro: refunded,
      }
    }
    case 'OperatorDisabled':
      return { name: log.eventName, key: log.args.key, party: partyAt(log.args.party) }
    case 'PaymentDeferred':
    case 'PaymentClaimed':
      return { name: log.eventName, recipient: log.args.recipient, amountMicro: log.args.amount }
    case 'ArbiterProposed':
      return { name: 'RoleProposed' as const, role: 'arbiter' as const, ...log.args }
    case 'OperatorProposed':
      return { name: 'RoleProposed' as const, role: 'operator' as const, ...log.args }
    case 'TreasuryProposed':
      return { name: 'RoleProposed' as const, role: 'treasury' as const, ...log.args }
    case 'ArbiterChanged':
      return { name: 'RoleChanged' as const, role: 'arbiter' as const, ...log.args }
    case 'OperatorChanged':
      return { name: 'RoleChanged' as const, role: 'operator' as const, ...log.args }
    case 'TreasuryChanged':
      return { name: 'RoleChanged' as const, role: 'treasury' as const, ...log.args }
  }
}
