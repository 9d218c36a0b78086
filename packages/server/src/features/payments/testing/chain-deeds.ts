import {
  type PreparedCall,
  prepareTransferWithAuthorization,
  signTransaction,
  type TransactionSigner,
  usdcAbi,
} from '@agent-marketplace/chain'
import { deriveRoles } from '@agent-marketplace/chain/devnet'
import { encodeFunctionData, multicall3Abi } from 'viem'
import type { EmbeddedChain } from '../../../ports/chain/embedded.ts'
import type { Hex, Payment } from '../../../ports/payments/port.ts'

/** Sends a call to the chain past the service, and awaits it. */
export async function execute(
  { client }: Pick<EmbeddedChain, 'client'>,
  from: TransactionSigner,
  call: PreparedCall,
) {
  const { rawTransaction } = await signTransaction(from, {
    call,
    chainId: client.chain.id,
    nonce: await client.getTransactionCount({ address: from.address, blockTag: 'pending' }),
    gas: 3_000_000n,
    fees: { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
  })
  const hash = await client.sendRawTransaction({ serializedTransaction: rawTransaction })
  return client.waitForTransactionReceipt({ hash })
}

/** A deed of the token's owner; the seed is that of the test chain. */
export function administerUsdc(
  embedded: EmbeddedChain,
  deed:
    | { functionName: 'pause' | 'unpause' }
    | { functionName: 'blacklist' | 'unBlacklist'; args: [`0x${string}`] },
) {
  const owner = deriveRoles(`0x${'11'.repeat(32)}`).faucet
  const to = embedded.chain.facts.contracts.usdc as `0x${string}`
  return execute(embedded, owner, { to, data: encodeFunctionData({ abi: usdcAbi, ...deed }), value: 0n })
}

const MULTICALL: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Carries these authorizations out, one after another, in one transaction. */
export function carryOut(chain: EmbeddedChain, from: TransactionSigner, payments: readonly Payment[]) {
  const usdc = chain.chain.facts.contracts.usdc as Hex
  const calls = payments.map(({ payer, payTo, amountMicro, signature, ...rest }) => ({
    target: usdc,
    allowFailure: false,
    callData: prepareTransferWithAuthorization({
      usdc,
      authorization: { from: payer, to: payTo, value: amountMicro, ...rest },
      signature,
    }).data,
  }))
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
  return execute(chain, from, { to: MULTICALL, data, value: 0n })
}
