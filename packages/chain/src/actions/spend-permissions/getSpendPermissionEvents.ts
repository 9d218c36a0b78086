import { type Address, type Client, encodeEventTopics, type Hex, pad } from 'viem'
import { spendPermissionManagerAbi } from '../../abis.ts'
import type { BlockRange } from '../../chainEvent.ts'
import { getRawLogs } from '../transactions/getRawLogs.ts'
import { decodeSpendPermissionEvents, type SpendPermissionEvent } from './decodeSpendPermissionEvents.ts'

const topicOf = (
  eventName: 'SpendPermissionApproved' | 'SpendPermissionRevoked' | 'SpendPermissionUsed',
): Hex => encodeEventTopics({ abi: spendPermissionManagerAbi, eventName })[0]

/**
 * The manager's events of one spender. Uses are filtered by the node; approvals and revocations carry their spender
 * inside, so they are filtered here: on a busy chain ask for short ranges.
 */
export const getSpendPermissionEvents = async (
  client: Client,
  { manager, spender, fromBlock, toBlock }: { manager: Address; spender: Address } & BlockRange,
): Promise<SpendPermissionEvent[]> => {
  const range = { address: manager, fromBlock, toBlock }
  const [used, others] = await Promise.all([
    getRawLogs(client, { ...range, topics: [topicOf('SpendPermissionUsed'), null, null, pad(spender)] }),
    getRawLogs(client, {
      ...range,
      topics: [[topicOf('SpendPermissionApproved'), topicOf('SpendPermissionRevoked')]],
    }),
  ])
  const events = decodeSpendPermissionEvents({ manager, logs: [...used, ...others] })
  return events
    .filter((event) => spenderOf(event).toLowerCase() === spender.toLowerCase())
    .sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
}

const spenderOf = (event: SpendPermissionEvent): Address =>
  event.name === 'SpendPermissionUsed' ? event.spender : event.permission.spender
