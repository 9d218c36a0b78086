/** Accounts of the journal are plain strings, made here and nowhere else, so that one owner never has two spellings. */
export type Account = string

/** USDC that a wallet holds as far as this service moved it. */
export const walletAccount = (address: string): Account => `wallet:${address.toLowerCase()}`

/** What the escrow holds for one job. */
export const escrowAccount = (jobKey: string): Account => `escrow:${jobKey.toLowerCase()}`

/** What the escrow could not push to its recipient and keeps until it is claimed. */
export const owedAccount = (recipient: string): Account => `owed:${recipient.toLowerCase()}`

/** The platform's own money: fees, subscriptions, verification. */
export const treasuryAccount = (): Account => 'treasury'

/** The other side of money that comes from, or goes to, somewhere this service does not follow. */
export const outsideAccount = (what = 'world'): Account => `outside:${what}`
