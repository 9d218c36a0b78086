import { type Address, type Chain, defineChain, type Hex } from 'viem'
import { addresses, isSupportedChainId, type SupportedChainId } from './addresses.ts'
import { ChainError } from './errors.ts'

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }

// The RPC address always comes from the settings; the public ones here only name the chain to wallets.
const base = defineChain({
  id: 8453,
  name: 'Base',
  nativeCurrency: ether,
  blockTime: 2000,
  rpcUrls: { default: { http: ['https://mainnet.base.org'] } },
  blockExplorers: { default: { name: 'Basescan', url: 'https://basescan.org' } },
  contracts: { multicall3: { address: addresses[8453].multicall3 } },
})

const baseSepolia = defineChain({
  id: 84532,
  name: 'Base Sepolia',
  nativeCurrency: ether,
  blockTime: 2000,
  testnet: true,
  rpcUrls: { default: { http: ['https://sepolia.base.org'] } },
  blockExplorers: { default: { name: 'Basescan', url: 'https://sepolia.basescan.org' } },
  contracts: { multicall3: { address: addresses[84532].multicall3 } },
})

const devnet = defineChain({
  id: 31337,
  name: 'Sandbox devnet',
  nativeCurrency: ether,
  testnet: true,
  rpcUrls: { default: { http: ['http://127.0.0.1:4000/rpc'] } },
  contracts: { multicall3: { address: addresses[31337].multicall3 } },
})

export const chains: Record<SupportedChainId, Chain> = { 8453: base, 84532: baseSepolia, 31337: devnet }

export const chainOf = (chainId: number): Chain => {
  if (!isSupportedChainId(chainId)) {
    throw new ChainError('UNKNOWN_CHAIN', `chain ${chainId} is not one of ${Object.keys(chains).join(', ')}`)
  }
  return chains[chainId]
}

/** The block explorer's page of a transaction or an address; undefined on the devnet, which has none. */
export const explorerUrlOf = (
  chainId: number,
  target: { transaction: Hex } | { address: Address },
): string | undefined => {
  const explorer = chainOf(chainId).blockExplorers?.default.url
  if (explorer === undefined) return undefined
  return 'transaction' in target
    ? `${explorer}/tx/${target.transaction}`
    : `${explorer}/address/${target.address}`
}
