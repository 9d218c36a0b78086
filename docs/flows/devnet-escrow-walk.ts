// Walks one escrow job on a fresh devnet, from the deposit to the auto-release, and prints who holds what after each step.
// Run: node docs/flows/devnet-escrow-walk.ts

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import {
  buildReceiveAuthorization,
  createChainClient,
  getFees,
  getNonce,
  getTransactionOutcome,
  getUsdcBalance,
  getUsdcDomain,
  jobKeyOf,
  jobRefOf,
  type PreparedCall,
  prepareDepositWithAuthorization,
  prepareRelease,
  prepareSubmit,
  sendRawTransaction,
  signTransaction,
  simulateCall,
} from '@agent-marketplace/chain'
import { createDevnet, deriveRoles } from '@agent-marketplace/chain/devnet'

const SEED = `0x${'a1'.repeat(32)}` as const
const AMOUNT_MICRO = 250_000_001n
const REVIEW_SECONDS = 7 * 86_400

// The parties of the story: keys of a devnet that is never started.
const parties = deriveRoles(`0x${'b2'.repeat(32)}`)
const client = parties.operator
const seller = parties.treasury
const agentWallet = parties.spender.address
const passerBy = parties.faucet

/** Returns the table that it walked, as lines of Markdown. */
export const walkEscrowJob = async (): Promise<string[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'escrow-walk-'))
  const devnet = await createDevnet({ dataDir, seed: SEED })
  const chain = createChainClient({ chainId: devnet.chainId, provider: devnet.provider })
  const { escrow, usdc, treasury } = devnet.addresses

  const execute = async (from: typeof client, call: PreparedCall): Promise<void> => {
    const trial = await simulateCall(chain, { from: from.address, call })
    if (trial.status !== 'ok') throw new Error(`the call would be ${trial.status}`)
    const signed = await signTransaction(from, {
      call,
      chainId: devnet.chainId,
      nonce: await getNonce(chain, { address: from.address, blockTag: 'pending' }),
      gas: trial.gas,
      fees: await getFees(chain),
    })
    const { status } = await sendRawTransaction(chain, signed)
    const outcome = await getTransactionOutcome(chain, signed)
    if (status !== 'accepted' || outcome.status !== 'success')
      throw new Error(`broadcast ${status}, then ${outcome.status}`)
  }

  const lines = [
    '| step | client | escrow | agent wallet | treasury | sum |',
    '|---|---:|---:|---:|---:|---:|',
  ]
  const record = async (step: string): Promise<void> => {
    const balances = await Promise.all(
      [client.address, escrow, agentWallet, treasury].map((owner) => getUsdcBalance(chain, { usdc, owner })),
    )
    const sum = balances.reduce((total, balance) => total + balance, 0n)
    lines.push(`| ${step} | ${[...balances, sum].map(formatUsdc).join(' | ')} |`)
  }

  try {
    await devnet.faucet({ address: client.address, amountMicro: 1_000_000_000n })
    await record('the client holds 1,000 USDC')

    const terms = {
      jobRef: jobRefOf('walk-1'),
      client: client.address,
      seller: seller.address,
      agentWallet,
      amountMicro: AMOUNT_MICRO,
      deadline: 0,
    }
    const key = jobKeyOf({ chainId: devnet.chainId, escrow, terms })
    const { name, version } = await getUsdcDomain(chain, { usdc })
    const token = { address: usdc, name, version, chainId: devnet.chainId }
    const window = { validAfter: 0n, validBefore: BigInt(devnet.now() + 3600) }
    const authorization = buildReceiveAuthorization({ token, escrow, terms, ...window })
    const signature = await client.signTypedData(authorization)
    await execute(
      devnet.roles.operator,
      prepareDepositWithAuthorization({ escrow, terms, ...window, signature }),
    )
    await record('deposit: one signature of the client, relayed by the operator')

    await execute(seller, prepareSubmit({ escrow, key, deliveryHash: key }))
    await record('delivery: the seller submits, seven days of review begin')

    const early = await simulateCall(chain, { from: passerBy.address, call: prepareRelease({ escrow, key }) })
    if (early.status !== 'refused') throw new Error('a stranger could release within the review window')
    await devnet.advanceTime(REVIEW_SECONDS)
    await execute(passerBy, prepareRelease({ escrow, key }))
    await record('auto-release: the client was silent, a passer-by calls')
    return lines
  } finally {
    await devnet.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const formatUsdc = (micro: bigint): string =>
  `${micro / 1_000_000n}.${(micro % 1_000_000n).toString().padStart(6, '0')}`

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await walkEscrowJob()).join('\n'))
