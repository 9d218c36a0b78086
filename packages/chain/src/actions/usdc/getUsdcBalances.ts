import { type Address, BaseError, type Client, ContractFunctionZeroDataError } from 'viem'
import { multicall } from 'viem/actions'
import { usdcAbi } from '../../abis.ts'

const WALLETS_PER_CALL = 500

/** What each wallet held at the end of one block, in the order asked. Before the token was there, nobody held any. */
export const getUsdcBalances = async (
  client: Client,
  { usdc, owners, blockNumber }: { usdc: Address; owners: readonly Address[]; blockNumber: bigint },
): Promise<bigint[]> => {
  const balances: bigint[] = []
  for (let start = 0; start < owners.length; start += WALLETS_PER_CALL) {
    const contracts = owners
      .slice(start, start + WALLETS_PER_CALL)
      .map((owner) => ({ address: usdc, abi: usdcAbi, functionName: 'balanceOf', args: [owner] }) as const)
    const found = multicall(client, { contracts, allowFailure: false, batchSize: 0, blockNumber })
    balances.push(
      ...(await found.catch((error: unknown) => {
        if (isAbsent(error)) return contracts.map(() => 0n)
        throw error
      })),
    )
  }
  return balances
}

const isAbsent = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null
