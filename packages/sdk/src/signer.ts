import type { Address, Hex } from 'viem'

/** EIP-712 typed data, without the domain's own type: wallets derive that. */
export interface SignableData {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address }
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

/** Something that a wallet is about to sign, whole. Amounts are in micro-USDC, times in seconds. */
export type SigningRequest =
  | { kind: 'signIn'; message: string }
  | { kind: 'x402Payment' | 'escrowDeposit' | 'spendPermission'; typedData: SignableData }

/** What signs: any viem account, plain or smart, or a wallet in a browser wrapped in these three. */
export interface Signer {
  address: Address
  signMessage(parameters: { message: string }): Promise<Hex>
  signTypedData(typedData: SignableData): Promise<Hex>
}
