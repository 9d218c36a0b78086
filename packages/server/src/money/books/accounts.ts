import type { ChainFacts } from '../../ports/chain/port.ts'

/** Accounts of the journal are plain strings, made here and nowhere else, so that one owner never has two spellings. */
export type Account = string

/** USDC that a wallet holds: all of it for wallets that are watched, else as far as this service moved it. */
export const walletAccount = (address: string): Account => `wallet:${address.toLowerCase()}`

/** What the escrow holds for one job. */
export const escrowAccount = (jobKey: string): Account => `escrow:${jobKey.toLowerCase()}`

/** What the escrow could not push to its recipient and keeps until it is claimed. */
export const owedAccount = (recipient: string): Account => `owed:${recipient.toLowerCase()}`

/** The platform's own money: fees, verification, and subscriptions once they are swept. */
export const treasuryAccount = (): Account => 'treasury'

/** Subscriptions that were pulled and still lie with the account that pulls them. */
export const spenderAccount = (): Account => 'spender'

/** What a wallet's owner says it was paid and no chain has shown. Nobody holds it, so it counts in no balance. */
export const claimedAccount = (address: string): Account => `claimed:${address.toLowerCase()}`

/** The other side of money that comes from, or goes to, somewhere this service does not follow. */
export const outsideAccount = (what = 'world'): Account => `outside:${what}`

/** The account of whatever stands at an address. */
export function createAccountOf({
  contracts,
  spender,
}: Pick<ChainFacts, 'contracts' | 'spender'>): (address: string) => Account {
  const own = new Map([
    [contracts.treasury.toLowerCase(), treasuryAccount()],
    [spender.toLowerCase(), spenderAccount()],
  ])
  return (address) => own.get(address.toLowerCase()) ?? walletAccount(address)
}
