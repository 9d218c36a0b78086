import { createPublicClient, http, parseAbi } from 'viem'
import type { Client } from '../../client.ts'

const permissionEvents = parseAbi([
  'event SpendPermissionUsed(bytes32 indexed hash, address indexed account, address indexed spender, address token, (uint48 start, uint48 end, uint160 spend) periodSpend)',
])

/** What the chain says was pulled from an account for plans, the first pull first. */
export interface Pull {
  amountMicro: bigint
  spender: string
  token: string
  txHash: string
}

export async function readPulls(url: string, { get }: Client, account: string): Promise<Pull[]> {
  const { body } = await get('/api/config')
  const chain = createPublicClient({ transport: http(`${url}/rpc`) })
  const events = await chain.getContractEvents({
    address: body.data.contracts.spendPermissionManager as `0x${string}`,
    abi: permissionEvents,
    eventName: 'SpendPermissionUsed',
    args: { account: account as `0x${string}` },
    fromBlock: 0n,
    strict: true,
  })
  return events.map(({ args: { periodSpend, spender, token }, transactionHash }) => ({
    amountMicro: periodSpend.spend,
    spender,
    token,
    txHash: transactionHash,
  }))
}
