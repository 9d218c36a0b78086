import { usdcAddresses } from '@agent-marketplace/contract'
import { type Address, getAddress } from 'viem'
import { ChainError } from './errors.ts'

/** The contracts that stand on a chain before this service does. Escrow, arbiter and treasury are its own and come from its settings. */
export type ChainAddresses = {
  usdc: Address
  spendPermissionManager: Address
  smartWalletFactory: Address
  /** All whose wallets may be deployed by a signature (ERC-6492): the one above, and others that make wallets alike. */
  smartWalletFactories: readonly Address[]
  /** On the devnet alone: what creates wallets that passkeys own. */
  passkeyWalletFactory?: Address
  agentRegistry: Address
  reputationRegistry: Address
  multicall3: Address
  safeSingleton: Address
  safeProxyFactory: Address
  safeFallbackHandler: Address
}

const everywhere = {
  spendPermissionManager: '0xf85210B21cC50302F477BA56686d2019dC9b67Ad',
  smartWalletFactory: '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
} as const

// Coinbase's factory before the present one. Wallets that it is yet to deploy are still in use.
const firstSmartWalletFactory = '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a'

const passkeyWalletFactory = '0x7fB24325568C6d7d6107838b7bea8C6c9414d8eB'

const safe150 = {
  safeSingleton: '0xEdd160fEBBD92E350D4D398fb636302fccd67C7e',
  safeProxyFactory: '0x14F2982D601c9458F93bd70B218933A6f8165e7b',
  safeFallbackHandler: '0x3EfCBb83A4A7AfcB4F68D501E2c2203a38be77f4',
} as const

export const addresses = {
  8453: {
    ...everywhere,
    ...safe150,
    smartWalletFactories: [everywhere.smartWalletFactory, firstSmartWalletFactory],
    usdc: usdcAddresses[8453],
    agentRegistry: '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
    reputationRegistry: '0x8004BAa17C55a88189AE136b182e5fdA19dE9b63',
  },
  84532: {
    ...everywhere,
    ...safe150,
    smartWalletFactories: [everywhere.smartWalletFactory, firstSmartWalletFactory],
    usdc: usdcAddresses[84532],
    agentRegistry: '0x8004A818BFB912233c491871b3d84c89A494BD9e',
    reputationRegistry: '0x8004B663056A597Dffe9eCcC1965A193B7388713',
  },
  // The devnet's deployer and the order of its deployments are fixed, and so are these; its genesis checks them.
  31337: {
    ...everywhere,
    smartWalletFactories: [everywhere.smartWalletFactory, passkeyWalletFactory],
    passkeyWalletFactory,
    usdc: '0xC6aD68cbaAE3560C9D942d2cb00af0A478ccc3c3',
    agentRegistry: '0xe79C9390aC6D93C58BF73aA5aF9b88b5f8F6C679',
    reputationRegistry: '0xe4993C568D8bAb468bd23f98AA94828be6461A3B',
    safeSingleton: '0x0aa3124aa047592eDBB682Da7200FD216d1ecf67',
    safeFallbackHandler: '0xF66AFea790025728894d54A412fF5C948b3A8F94',
    safeProxyFactory: '0xDA1ccc6a61B7cf904aE5cb48e5BCf7d4Cc1f5c92',
    arbiter: '0x7f9Ce3ad48C0AD64aF126C59717a643741484ce1',
    escrow: '0xbfe222475Da313AbE30D3D10C8137044055d4Cff',
  },
} as const satisfies Record<number, ChainAddresses & { arbiter?: Address; escrow?: Address }>

export type SupportedChainId = keyof typeof addresses

export const isSupportedChainId = (chainId: number): chainId is SupportedChainId =>
  Object.hasOwn(addresses, chainId)

export const addressesOf = (chainId: number): ChainAddresses => {
  if (!isSupportedChainId(chainId)) {
    throw new ChainError(
      'UNKNOWN_CHAIN',
      `chain ${chainId} is not one of ${Object.keys(addresses).join(', ')}`,
    )
  }
  return addresses[chainId]
}

/** The EIP-55 spelling of an address; throws when it is none. */
export const checksumAddress = (address: string): Address => getAddress(address)
