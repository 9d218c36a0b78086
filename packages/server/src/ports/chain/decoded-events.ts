import {
  type AgentRegistryEvent,
  decodeAgentRegistryEvents,
  decodeEscrowEvents,
  decodeReputationEvents,
  decodeSpendPermissionEvents,
  decodeUsdcEvents,
  type UsdcTransfer,
  type UsedAuthorization,
} from '@agent-marketplace/chain'
import type { ChainEvent, Hex } from './port.ts'

/** The contracts whose events are followed. */
export type Contracts = Record<
  'usdc' | 'escrow' | 'agentRegistry' | 'reputationRegistry' | 'spendPermissionManager',
  Hex
>

type Logs = Parameters<typeof decodeEscrowEvents>[0]['logs']

/** The events of all our contracts among the logs, in their order. */
export function decodeAll(contracts: Contracts, logs: Logs): ChainEvent[] {
  return inOrder([
    ...decodeEscrowEvents({ escrow: contracts.escrow, logs }),
    ...usdcEventsOf(decodeUsdcEvents({ usdc: contracts.usdc, logs })),
    ...decodeSpendPermissionEvents({ manager: contracts.spendPermissionManager, logs }),
    ...decodeAgentRegistryEvents({ registry: contracts.agentRegistry, logs }).map(inPortWords),
    ...decodeReputationEvents({ registry: contracts.reputationRegistry, logs }),
  ])
}

/** Of the token and the permissions only what is about our wallets and our spender; of the escrow everything. */
export function concerns(
  event: ChainEvent,
  { spender, wallets }: { spender: Hex; wallets: ReadonlySet<string> },
): boolean {
  switch (event.name) {
    case 'UsdcTransferred':
      return wallets.has(event.from.toLowerCase()) || wallets.has(event.to.toLowerCase())
    case 'AuthorizationUsed':
      return wallets.has(event.authorizer.toLowerCase())
    case 'SpendPermissionApproved':
    case 'SpendPermissionRevoked':
      return event.permission.spender.toLowerCase() === spender.toLowerCase()
    case 'SpendPermissionUsed':
      return event.spender.toLowerCase() === spender.toLowerCase()
    default:
      return true
  }
}

export function usdcEventsOf(found: {
  transfers: UsdcTransfer[]
  authorizations: UsedAuthorization[]
}): ChainEvent[] {
  return [
    ...found.transfers.map((transfer) => ({ ...transfer, name: 'UsdcTransferred' as const })),
    ...found.authorizations.map((use) => ({ ...use, name: 'AuthorizationUsed' as const })),
  ]
}

/** The registry's short names would be ambiguous beside the other contracts'. */
function inPortWords(event: AgentRegistryEvent): ChainEvent {
  switch (event.name) {
    case 'Registered':
      return { ...event, name: 'AgentRegistered' }
    case 'UriUpdated':
      return { ...event, name: 'AgentUriUpdated' }
    case 'Transferred':
      return { ...event, name: 'AgentTransferred' }
  }
}

export const inOrder = (events: ChainEvent[]): ChainEvent[] =>
  events.toSorted((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
