import { agentRegistryEvents, escrowEvents, usdcEvents } from '@agent-marketplace/chain/events'
import { encodeAbiParameters, encodeEventTopics, type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { type ChainLog, describeLog } from './describe-log.ts'

const contracts = {
  usdc: '0x1000000000000000000000000000000000000001',
  escrow: '0x1000000000000000000000000000000000000002',
  agentRegistry: '0x1000000000000000000000000000000000000003',
  reputationRegistry: '0x1000000000000000000000000000000000000004',
  spendPermissionManager: '0x1000000000000000000000000000000000000005',
  arbiter: '0x1000000000000000000000000000000000000006',
  treasury: '0x1000000000000000000000000000000000000007',
} as const
const buyer = '0x2000000000000000000000000000000000000001'
const agent = '0x2000000000000000000000000000000000000002'
const key = pad('0x0b')

const log = (address: Hex, topics: (Hex | Hex[] | null)[], data: Hex = '0x'): ChainLog => ({
  address,
  topics: topics.flatMap((topic) => topic ?? []),
  data,
})
const transfer = (from: Hex, to: Hex) =>
  encodeEventTopics({ abi: usdcEvents, eventName: 'Transfer', args: { from, to } })
const amount = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])

describe('an event in words', () => {
  test('a payment', () => {
    expect(
      describeLog(log(contracts.usdc, transfer(buyer, agent), amount(25_000_000n)), contracts)?.parts,
    ).toEqual([
      { kind: 'address', address: buyer },
      ' sent ',
      { kind: 'money', micro: 25_000_000n },
      ' to ',
      { kind: 'address', address: agent },
      '.',
    ])
  })

  test('a settlement', () => {
    const data = encodeAbiParameters(
      [{ type: 'uint8' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }],
      [3, 264_600_000n, 5_400_000n, 180_000_000n],
    )
    const topics = encodeEventTopics({ abi: escrowEvents, eventName: 'JobClosed', args: { key } })
    expect(describeLog(log(contracts.escrow, topics, data), contracts)?.parts).toEqual([
      'Settled: ',
      { kind: 'money', micro: 264_600_000n },
      ' to the agent, ',
      { kind: 'money', micro: 5_400_000n },
      ' fee, ',
      { kind: 'money', micro: 180_000_000n },
      ' back to the buyer.',
    ])
  })

  test('the same signature means another thing in another contract', () => {
    const args = { from: buyer, to: agent, tokenId: 7n } as const
    const topics = encodeEventTopics({ abi: agentRegistryEvents, eventName: 'Transfer', args })
    expect(describeLog(log(contracts.agentRegistry, topics), contracts)?.parts[0]).toBe(
      'The token of agent #7 went to ',
    )
  })

  test('of a stranger is passed over', () => {
    expect(describeLog(log(agent, transfer(buyer, agent), amount(1n)), contracts)).toBeUndefined()
    expect(describeLog(log(contracts.usdc, [pad('0x01')]), contracts)).toBeUndefined()
  })
})
