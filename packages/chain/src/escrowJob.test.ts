import fc from 'fast-check'
import { type Address, encodeAbiParameters, getAddress, type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { type JobTerms, jobKeyOf } from './escrowJob.ts'

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((given): Hex => `0x${Buffer.from(given).toString('hex')}`)

const anyTerms: fc.Arbitrary<JobTerms> = fc.record({
  jobRef: hexOf(32),
  client: hexOf(20),
  seller: hexOf(20),
  agentWallet: hexOf(20),
  amountMicro: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  deadline: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
})

/** As viem encodes the contract's struct. */
const encodedKey = (chainId: number, escrow: Address, { amountMicro, deadline, ...terms }: JobTerms): Hex =>
  keccak256(
    encodeAbiParameters(
      [
        { type: 'uint256' },
        { type: 'address' },
        {
          type: 'tuple',
          components: [
            { name: 'jobRef', type: 'bytes32' },
            { name: 'client', type: 'address' },
            { name: 'seller', type: 'address' },
            { name: 'agentWallet', type: 'address' },
            { name: 'amount', type: 'uint128' },
            { name: 'deadline', type: 'uint64' },
          ],
        },
      ],
      [BigInt(chainId), escrow, { ...terms, amount: amountMicro, deadline: BigInt(deadline) }],
    ),
  )

test('a key is the one of the general encoder, however addresses are spelt', () => {
  fc.assert(
    fc.property(fc.nat(), hexOf(20), anyTerms, (chainId, escrow, terms) => {
      const key = jobKeyOf({ chainId, escrow, terms })
      expect(key).toBe(encodedKey(chainId, escrow, terms))
      const checksummed = { ...terms, client: getAddress(terms.client), seller: getAddress(terms.seller) }
      expect(jobKeyOf({ chainId, escrow: getAddress(escrow), terms: checksummed })).toBe(key)
    }),
  )
})

const address: Address = '0x00000000000000000000000000000000000000aa'
const terms: JobTerms = {
  jobRef: `0x${'11'.repeat(32)}`,
  client: address,
  seller: address,
  agentWallet: address,
  amountMicro: 1n,
  deadline: 0,
}

test.each<Partial<JobTerms>>([
  { jobRef: '0x11' },
  { jobRef: `0x${'zz'.repeat(32)}` },
  { client: '0xaa' },
  { seller: `${address}00` },
  { agentWallet: `0x${'g'.repeat(40)}` },
  { jobRef: `0x${'11'.repeat(64)}`, amountMicro: -1n },
  { client: '0xaa', seller: `0x${'0'.repeat(102)}` },
  { amountMicro: -1n },
  { amountMicro: 2n ** 128n },
  { deadline: -1 },
])('terms that the contract cannot hold have no key: %o', (wrong) => {
  expect(() => jobKeyOf({ chainId: 1, escrow: address, terms: { ...terms, ...wrong } })).toThrow('do not fit')
})
