import type { SignableData, Signer } from '@agent-marketplace/sdk'
import { type Address, createPublicClient, defineChain, type Hex, hashTypedData, http } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { toAccount } from 'viem/accounts'
import { getCode } from 'viem/actions'
import { type PlatformConfig, rpcUrlOf } from '../../data/platform/platform-config.ts'

/** How EIP-7702 marks a plain wallet that has lent itself some code. It still cannot be pulled from. */
const DELEGATION_MARK = '0xef0100'

/**
 * The account that plans are pulled from. Only a smart account can be: a wallet that is one pays itself, and for any other
 * wallet it is the Coinbase-compatible account that this wallet owns together with the permission manager. It need not be
 * deployed yet; its first permission does that.
 */
export async function openPayer(
  config: PlatformConfig,
  signer: Signer,
  { isSmartWallet }: { isSmartWallet: boolean },
): Promise<Signer> {
  if (isSmartWallet) return signer
  const { id, name } = config.chain
  const rpcUrl = rpcUrlOf(config)
  const chain = defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const client = createPublicClient({ chain, transport: http(rpcUrl) })
  const code = await getCode(client, { address: signer.address })
  if (code !== undefined && !code.startsWith(DELEGATION_MARK)) return signer

  const manager = config.contracts.spendPermissionManager as Address
  return toCoinbaseSmartAccount({ client, owners: [ownerOf(signer), manager], version: '1.1' })
}

/** What the chain knows a permission by. */
export const hashPermission = (permission: SignableData): Hex => hashTypedData(permission)

/** A signer as viem knows an owner. A permission is typed data, so nothing else is ever signed with it. */
function ownerOf(signer: Signer) {
  const refuse = () => Promise.reject(new Error('This owner signs permissions only.'))
  return toAccount({
    address: signer.address,
    signTypedData: (typedData) => signer.signTypedData(typedData as Parameters<Signer['signTypedData']>[0]),
    signMessage: refuse,
    signTransaction: refuse,
  })
}
