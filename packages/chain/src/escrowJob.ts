import { type Address, type Hex, stringToBytes, toHex } from 'viem'
import { ChainError } from './errors.ts'
import { keccakOfHex } from './hashing/keccak.ts'

/** What client and seller agreed on. `deadline` is in Unix seconds; 0 means that there is none. */
export type JobTerms = {
  jobRef: Hex
  client: Address
  seller: Address
  agentWallet: Address
  amountMicro: bigint
  deadline: number
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

/**
 * The key under which the escrow keeps a job: it commits to the chain, the contract and every term. Written word by word as
 * the contract encodes it: a general encoder takes ten times as long, mostly for the checksums of the addresses.
 */
export const jobKeyOf = ({
  chainId,
  escrow,
  terms: { jobRef, client, seller, agentWallet, amountMicro, deadline },
}: {
  chainId: number
  escrow: Address
  terms: JobTerms
}): Hex => {
  const words = [
    numberWord(chainId, 256),
    addressWord(escrow),
    jobRef.length === 66 ? jobRef.slice(2) : '',
    addressWord(client),
    addressWord(seller),
    addressWord(agentWallet),
    numberWord(amountMicro, 128),
    numberWord(deadline, 64),
  ].join('')
  if (!/^[0-9a-f]{512}$/i.test(words))
    throw new ChainError('INVALID_ARGUMENT', 'the terms of a job do not fit the contract')
  return keccakOfHex(`0x${words}`)
}

const addressWord = (address: Address): string =>
  address.length === 42 ? address.slice(2).padStart(64, '0') : ''

const numberWord = (value: bigint | number, bits: number): string => {
  const number = BigInt(value)
  return number === BigInt.asUintN(bits, number) ? number.toString(16).padStart(64, '0') : ''
}

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
