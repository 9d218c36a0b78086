import {
  agentRegistryEvents,
  escrowEvents,
  type Outcome,
  outcomeAt,
  type Party,
  partyAt,
  reputationRegistryEvents,
  safeEvents,
  spendPermissionManagerEvents,
  usdcEvents,
} from '@agent-marketplace/chain/events'
import { MAX_CHANGE_REQUESTS } from '@agent-marketplace/contract'
import { type Abi, decodeEventLog, type Hex, isAddressEqual, zeroAddress } from 'viem'
import type { PlatformConfig } from '../../data/platform/platform-config.ts'
import { address, money, murmur, type Sentence, say, time } from './sentence.ts'

export interface ChainLog {
  address: Hex
  topics: readonly Hex[]
  data: Hex
}

type Contracts = PlatformConfig['contracts']

/** What an event says, in plain words; undefined for events that this site does not know. */
export function describeLog(log: ChainLog, contracts: Contracts): Sentence | undefined {
  const from = (contract: string | null | undefined) =>
    contract !== null && contract !== undefined && isAddressEqual(log.address, contract as Hex)
  if (from(contracts.usdc)) return tokenSentence(log)
  if (from(contracts.escrow)) return escrowSentence(log)
  if (from(contracts.agentRegistry)) return registrySentence(log)
  if (from(contracts.reputationRegistry)) return reputationSentence(log)
  if (from(contracts.spendPermissionManager)) return permissionSentence(log)
  if (from(contracts.arbiter)) return safeSentence(log)
  return undefined
}

/** Undefined for an event that is not in the list. */
export function decode<const Events extends Abi>(abi: Events, { topics, data }: ChainLog) {
  try {
    return decodeEventLog({ abi, data, topics: [...topics] as [Hex, ...Hex[]] })
  } catch {
    return undefined
  }
}

function tokenSentence(log: ChainLog): Sentence | undefined {
  const event = decode(usdcEvents, log)
  if (event?.eventName === 'AuthorizationUsed') {
    return murmur('The signature of ', address(event.args.authorizer), ' was used up: it pays once.')
  }
  if (event?.eventName !== 'Transfer') return undefined
  const { from, to, value } = event.args
  if (isAddressEqual(from, zeroAddress)) return say(money(value), ' were made for ', address(to), '.')
  return say(address(from), ' sent ', money(value), ' to ', address(to), '.')
}

const parties: Record<Party, string> = { client: 'The buyer', seller: 'The seller' }
const outcomes: Record<Outcome, string> = {
  none: 'Closed',
  released: 'Released',
  refunded: 'Refunded',
  settled: 'Settled',
  ruled: 'Ruled',
  expired: 'Expired',
}

function escrowSentence(log: ChainLog): Sentence | undefined {
  const event = decode(escrowEvents, log)
  switch (event?.eventName) {
    case 'JobFunded': {
      const { amount, client, agentWallet } = event.args
      return say(
        'The escrow holds ',
        money(amount),
        ' from ',
        address(client),
        ' for the agent ',
        address(agentWallet),
        '.',
      )
    }
    case 'WorkSubmitted':
      return say('The delivery was recorded. The review window ends ', time(event.args.reviewEndsAt), '.')
    case 'ChangesRequested':
      return say(`The buyer asked for changes, ${event.args.count} of ${MAX_CHANGE_REQUESTS}.`)
    case 'DisputeOpened':
      return say(
        `${parties[partyAt(event.args.by)]} opened a dispute. Undecided, the buyer is refunded `,
        time(event.args.undecidedAt),
        '.',
      )
    case 'SettlementProposed':
      return say(`${parties[partyAt(event.args.by)]} offered ${event.args.sellerBps / 100}% for the seller.`)
    case 'JobClosed': {
      const { outcome, sellerNet, fee, refunded } = event.args
      const word = `${outcomes[outcomeAt(outcome)]}: `
      return say(
        word,
        money(sellerNet),
        ' to the agent, ',
        money(fee),
        ' fee, ',
        money(refunded),
        ' back to the buyer.',
      )
    }
    case 'OperatorDisabled':
      return say(`${parties[partyAt(event.args.party)]} acts from its own wallet from now on.`)
    case 'PaymentDeferred':
      return say(money(event.args.amount), ' wait to be claimed by ', address(event.args.recipient), '.')
    case 'PaymentClaimed':
      return say(address(event.args.recipient), ' claimed ', money(event.args.amount), '.')
    default:
      return undefined
  }
}

function registrySentence(log: ChainLog): Sentence | undefined {
  const event = decode(agentRegistryEvents, log)
  switch (event?.eventName) {
    case 'Registered':
      return say(`Agent #${event.args.agentId} was registered for `, address(event.args.owner), '.')
    case 'MetadataSet':
      return murmur(`Agent #${event.args.agentId}: “${event.args.metadataKey}” was written.`)
    case 'URIUpdated':
      return say(`The registration file of agent #${event.args.agentId} moved.`)
    case 'Transfer':
      return murmur(`The token of agent #${event.args.tokenId} went to `, address(event.args.to), '.')
    default:
      return undefined
  }
}

function reputationSentence(log: ChainLog): Sentence | undefined {
  const event = decode(reputationRegistryEvents, log)
  switch (event?.eventName) {
    case 'NewFeedback': {
      const { agentId, clientAddress, value, valueDecimals } = event.args
      return say(address(clientAddress), ` rated agent #${agentId}: ${Number(value) / 10 ** valueDecimals}.`)
    }
    case 'FeedbackRevoked':
      return say(address(event.args.clientAddress), ` revoked a rating of agent #${event.args.agentId}.`)
    case 'ResponseAppended':
      return say(address(event.args.responder), ` replied to a rating of agent #${event.args.agentId}.`)
    default:
      return undefined
  }
}

function permissionSentence(log: ChainLog): Sentence | undefined {
  const event = decode(spendPermissionManagerEvents, log)
  switch (event?.eventName) {
    case 'SpendPermissionApproved': {
      const { account, allowance } = event.args.spendPermission
      return say(address(account), ' allows up to ', money(allowance), ' per period.')
    }
    case 'SpendPermissionRevoked':
      return say(address(event.args.spendPermission.account), ' revoked its permission.')
    case 'SpendPermissionUsed':
      return say(
        address(event.args.account),
        ' was charged ',
        money(event.args.periodSpend.spend),
        ' by its permission.',
      )
    default:
      return undefined
  }
}

function safeSentence(log: ChainLog): Sentence | undefined {
  const event = decode(safeEvents, log)
  if (!event) return undefined
  return event.eventName === 'ExecutionSuccess'
    ? say('The multisig carried out a decision.')
    : say('A decision of the multisig failed.')
}
