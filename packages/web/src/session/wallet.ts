import { isAddress } from '../format/address.ts'

/** Which wallet signs, in a form that survives a reload. It holds no key. */
export type Wallet =
  /** An EIP-6963 wallet of this browser, known by its reverse domain name. */
  | { kind: 'injected'; rdns: string; name: string; address: string }
  /** A wallet that is reached through the internet: on a phone, or at its maker's site. */
  | { kind: 'remote'; via: RemoteWay; name: string; address: string }
  /** A smart wallet that a passkey of this device owns. In sandboxes only. */
  | { kind: 'passkey'; name: string; address: string }
  /** One of the sandbox's built-in wallets. */
  | { kind: 'test'; role: TestRole; address: string }
  /** A test wallet of one's own, whose key this browser keeps. */
  | { kind: 'saved'; name: string; address: string }

export const remoteWays = ['walletConnect', 'coinbase'] as const
export type RemoteWay = (typeof remoteWays)[number]

/** A call that the service prepared for this wallet to send. */
export interface PreparedTransaction {
  chainId: number
  to: `0x${string}`
  data: `0x${string}`
}

export const testRoles = ['buyer', 'seller', 'admin'] as const
export type TestRole = (typeof testRoles)[number]

const roleNames: Record<TestRole, string> = {
  buyer: 'Test buyer',
  seller: 'Test seller',
  admin: 'Test admin',
}

export function walletName(wallet: Wallet): string {
  return wallet.kind === 'test' ? roleNames[wallet.role] : wallet.name
}

/** Whether both are reached in the same way and sign for the same account. */
export const isSameWallet = (one: Wallet, other: Wallet): boolean =>
  one.kind === other.kind &&
  one.address.toLowerCase() === other.address.toLowerCase() &&
  (one.kind === 'remote' && one.via) === (other.kind === 'remote' && other.via)

/** A smart wallet pays subscriptions itself, also before it is deployed. Of other wallets only the chain knows it. */
export const isSmartWallet = (wallet: Wallet): boolean =>
  wallet.kind === 'passkey' || (wallet.kind === 'remote' && wallet.via === 'coinbase')

/** Storage can hold anything: an old version's record, or what a person typed. */
export function parseWallet(text: string | null): Wallet | undefined {
  const value = readJson(text)
  const { kind, role, rdns, via, name, address } = Object(value) as Record<string, unknown>
  if (typeof address !== 'string' || !isAddress(address)) return undefined
  const testRole = testRoles.find((known) => known === role)
  if (kind === 'test' && testRole) return { kind, role: testRole, address }
  if (typeof name !== 'string') return undefined
  if (kind === 'saved' || kind === 'passkey') return { kind, name, address }
  const way = remoteWays.find((known) => known === via)
  if (kind === 'remote' && way) return { kind, via: way, name, address }
  return kind === 'injected' && typeof rdns === 'string' ? { kind, rdns, name, address } : undefined
}

function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
