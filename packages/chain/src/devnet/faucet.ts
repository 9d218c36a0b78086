import { DEVNET_CHAIN_ID } from '@agent-marketplace/contract'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { addresses } from '../addresses.ts'
import { testUsdcAbi } from '../generated/TestUsdc.ts'
import type { DevnetProvider } from './provider.ts'

export type FaucetGrant = { address: Address; amountMicro: bigint; gasWei?: bigint }

/** Gives test USDC and gas. Both are ordinary signed transactions, so the journal needs to know nothing of a faucet. */
export type Faucet = (grant: FaucetGrant) => Promise<{ transactionHashes: Hex[] }>

const DEFAULT_GAS_WEI = 10n ** 18n

export const createFaucet = async (provider: DevnetProvider, minter: PrivateKeyAccount): Promise<Faucet> => {
  const readNonce = async (): Promise<number> =>
    Number(await provider.request({ method: 'eth_getTransactionCount', params: [minter.address, 'pending'] }))
  let nonce = await readNonce()

  const send = async (call: { to: Address; data?: Hex; value?: bigint }): Promise<Hex> => {
    const rawTransaction = await minter.signTransaction({
      type: 'eip1559',
      chainId: DEVNET_CHAIN_ID,
      nonce: nonce++,
      gas: 200_000n,
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
      ...call,
    })
    return (await provider.request({ method: 'eth_sendRawTransaction', params: [rawTransaction] })) as Hex
  }

  return async ({ address, amountMicro, gasWei = DEFAULT_GAS_WEI }) => {
    const sends: Promise<Hex>[] = []
    if (amountMicro > 0n) {
      const data = encodeFunctionData({
        abi: testUsdcAbi,
        functionName: 'mint',
        args: [address, amountMicro],
      })
      sends.push(send({ to: addresses[DEVNET_CHAIN_ID].usdc, data }))
    }
    if (gasWei > 0n) sends.push(send({ to: address, value: gasWei }))
    try {
      return { transactionHashes: await Promise.all(sends) }
    } catch (error) {
      // A nonce that was handed out and never used would hold up every grant after it.
      await Promise.allSettled(sends)
      nonce = await readNonce()
      throw error
    }
  }
}
