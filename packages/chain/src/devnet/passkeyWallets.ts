import { DEVNET_CHAIN_ID } from '@agent-marketplace/contract'
import type { Hex } from 'viem'
import { addresses } from '../addresses.ts'
import { ChainError } from '../errors.ts'
import { passkeyWalletFactoryBytecode } from '../generated/PasskeyWalletFactory.ts'
import { deployer } from './genesis.ts'
import type { DevnetProvider } from './provider.ts'

/** The deployments of genesis take the nonces before this one. */
const NONCE = 9

/**
 * Deploys the factory of passkey wallets where it is missing. It came after the first sandboxes, whose journals hold the
 * hash of every block: another genesis would end them, an ordinary transaction does not.
 */
export const deployPasskeyWallets = async (provider: DevnetProvider): Promise<void> => {
  const { passkeyWalletFactory } = addresses[DEVNET_CHAIN_ID]
  const readCode = () => provider.request({ method: 'eth_getCode', params: [passkeyWalletFactory, 'latest'] })
  if ((await readCode()) !== '0x') return
  const rawTransaction: Hex = await deployer.signTransaction({
    type: 'eip1559',
    chainId: DEVNET_CHAIN_ID,
    nonce: NONCE,
    gas: 7_000_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    data: passkeyWalletFactoryBytecode,
  })
  await provider.request({ method: 'eth_sendRawTransaction', params: [rawTransaction] })
  if ((await readCode()) === '0x') {
    throw new ChainError('GENESIS_FAILED', `no passkey wallets at ${passkeyWalletFactory}`)
  }
}
