import { type Address, encodeAbiParameters, type Hex, keccak256, stringToBytes, toHex } from 'viem'
import { ChainError } from './errors.ts'

// The order of each list is the order of the contract's enum.
const parties = ['none', 'client', 'seller'] as const
const jobStates = ['none', 'funded', 'submitted', 'disputed', 'closed'] as const
const outcomes = ['none', 'released', 'refunded', 'settled', 'ruled', 'expired'] as const

export type Party = Exclude<(typeof parties)[number], 'none'>
export type JobState = (typeof jobStates)[number]
export type Outcome = (typeof outcomes)[number]

/** What client and seller agreed on. `deadline` is in Unix seconds; 0 means that there is none. */
export type JobTerms = {
  jobRef: Hex
  client: Address
  seller: Address
  agentWallet: Address
  amountMicro: bigint
  deadline: number
}

export const partyIndexOf = (party: Party): number => parties.indexOf(party)
export const partyAt = (index: number): Party => nameAt(parties.slice(1) as Party[], index - 1, 'party')
export const jobStateAt = (index: number): JobState => nameAt(jobStates, index, 'job state')
export const outcomeAt = (index: number): Outcome => nameAt(outcomes, index, 'outcome')

const nameAt = <Name>(names: readonly Name[], index: number, what: string): Name => {
  const name = names[index]
  if (name === undefined) throw new ChainError('INVALID_ARGUMENT', `the escrow has no ${what} ${index}`)
  return name
}

/** The terms as the contract's struct. */
export const encodeTerms = ({ jobRef, client, seller, agentWallet, amountMicro, deadline }: JobTerms) => ({
  jobRef,
  client,
  seller,
  agentWallet,
  amount: amountMicro,
  deadline: BigInt(deadline),
})

const termsComponents = [
  { name: 'jobRef', type: 'bytes32' },
  { name: 'client', type: 'address' },
  { name: 'seller', type: 'address' },
  { name: 'agentWallet', type: 'address' },
  { name: 'amount', type: 'uint128' },
  { name: 'deadline', type: 'uint64' },
] as const

/** The key under which the escrow keeps a job: it commits to the chain, the contract and every term. */
export const jobKeyOf = ({
  chainId,
  escrow,
  terms,
}: {
  chainId: number
  escrow: Address
  terms: JobTerms
}): Hex =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'address' }, { type: 'tuple', components: termsComponents }],
      [BigInt(chainId), escrow, encodeTerms(terms)],
    ),
  )

/** A job's id as the escrow's reference: its ASCII characters, padded with zeros on the right to 32 bytes. */
export const jobRefOf = (jobId: string): Hex => {
  if (!/^[\x21-\x7e]{1,32}$/.test(jobId)) {
    throw new ChainError(
      'INVALID_ARGUMENT',
      `a job id of 1 to 32 visible ASCII characters was expected, not "${jobId}"`,
    )
  }
  return toHex(stringToBytes(jobId, { size: 32 }))
}
