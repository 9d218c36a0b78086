import { spawnSync } from 'node:child_process'
import { KYC_FEE_MICRO } from '@agent-marketplace/contract'
import { createPublicClient, http, parseAbiItem } from 'viem'
import { createBalances } from '../client.ts'
import { builtProgram } from '../service/built-program.ts'
import type { SteadyClient } from '../steady/steady-client.ts'
import { BUYER_FUNDS_MICRO, type Pair, SELLER_FUNDS_MICRO } from './traffic/people.ts'
import { readVersion } from './traffic/profiles.ts'
import { waitFor } from './wait.ts'

const BALANCES_LIMIT_MS = 180_000
const CONFIRMED_LIMIT_MS = 60_000
const AUDIT_LIMIT_MS = 300_000

export interface Verdict {
  lost: string[]
  doubled: string[]
  /** Money that is not where it belongs, and what did not end as it should. */
  wrong: string[]
}

/** Compares what was acknowledged with what the service and the chain have. */
export async function judge(pairs: readonly Pair[], rpcUrl: string): Promise<Verdict> {
  const verdicts = await Promise.all(pairs.map((pair) => judgePair(pair, rpcUrl)))
  const all = (pick: (verdict: Verdict) => string[]) => verdicts.flatMap(pick)
  return {
    lost: all(({ lost }) => lost),
    doubled: all(({ doubled }) => doubled),
    wrong: all(({ wrong }) => wrong),
  }
}

async function judgePair(pair: Pair, rpcUrl: string): Promise<Verdict> {
  const { cast, ledger } = pair
  const balances = await judgeBalances(pair, rpcUrl)
  const jobs = await listJobs(cast.buyer)
  const withdrawals = await readWithdrawals(
    cast.seller,
    ledger.withdrawals.map(({ id }) => id),
  )
  const charges = await countTransfers(rpcUrl, cast.usdc.address, pair.payer.address)
  const version = await readVersion(cast.seller, pair.agentWallet)
  const { body, status } = await cast.seller.get('/api/owners/subscription')
  const quota = status === 200 ? (body.data.agentQuota ?? 0) : 0
  const unfinished = ledger.told.filter(({ jobId }) => jobs.get(jobId) !== 'COMPLETED')
  const known = { jobs: new Set(ledger.hired), withdrawals: new Set(ledger.withdrawals.map(({ id }) => id)) }
  return {
    lost: [
      ...ledger.hired.filter((id) => !jobs.has(id)).map((id) => `job ${id}`),
      ...unfinished.map(({ jobId }) => `completion of job ${jobId}, which is ${jobs.get(jobId)}`),
      ...ledger.withdrawals
        .filter(({ id }) => withdrawals.get(id) !== 'CONFIRMED')
        .map(({ id }) => `withdrawal ${id}, which is ${withdrawals.get(id)}`),
      ...(version < ledger.profile.version
        ? [`version ${ledger.profile.version} of the profile ${pair.agentWallet}, which is ${version}`]
        : []),
      ...(quota < ledger.quota ? [`quota ${ledger.quota}, which is ${quota}`] : []),
      ...(charges < ledger.charges ? [`charges: ${charges} of ${ledger.charges}`] : []),
    ],
    doubled: [
      ...[...jobs.keys()].filter((id) => !known.jobs.has(id)).map((id) => `job ${id}`),
      ...[...withdrawals.keys()].filter((id) => !known.withdrawals.has(id)).map((id) => `withdrawal ${id}`),
      ...(charges > ledger.charges ? [`charges: ${charges} for ${ledger.charges}`] : []),
    ],
    wrong: [...balances, ...ledger.problems],
  }
}

async function listJobs(buyer: SteadyClient): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let cursor = ''
  do {
    const { body } = await buyer.get(`/api/jobs?role=client&limit=100${cursor ? `&cursor=${cursor}` : ''}`)
    for (const job of body.data) found.set(job.id, job.status)
    cursor = body.nextCursor ?? ''
  } while (cursor)
  return found
}

/** Withdrawals by their status. Those acknowledged are confirmed some blocks after the chain has moved the money. */
async function readWithdrawals(seller: SteadyClient, acknowledged: string[]): Promise<Map<string, string>> {
  let found = new Map<string, string>()
  const areConfirmed = async () => {
    found = await listWithdrawals(seller)
    return acknowledged.every((id) => found.get(id) === 'CONFIRMED')
  }
  await waitFor('the withdrawals', CONFIRMED_LIMIT_MS, areConfirmed).catch(() => undefined)
  return found
}

async function listWithdrawals(seller: SteadyClient): Promise<Map<string, string>> {
  const { body } = await seller.get('/api/owners/withdrawals?limit=1000')
  return new Map(body.data.withdrawals.map(({ id, status }) => [id, status]))
}

/** Payments are made after they were acknowledged, so the chain is given time to show them. */
async function judgeBalances({ cast, ledger, agentWallet }: Pair, rpcUrl: string): Promise<string[]> {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const withdrawnMicro = sum(ledger.withdrawals.map(({ amountMicro }) => amountMicro))
  const expected = {
    buyer: BUYER_FUNDS_MICRO - sum(ledger.told.map(({ priceMicro }) => priceMicro)),
    agent: sum(ledger.told.map(({ netMicro }) => netMicro)) - withdrawnMicro,
    seller: SELLER_FUNDS_MICRO - KYC_FEE_MICRO + withdrawnMicro,
  }
  const addressOf = {
    buyer: cast.buyer.wallet.address,
    agent: agentWallet,
    seller: cast.seller.wallet.address,
  }
  const balancesOf = createBalances(rpcUrl.replace(/\/rpc$/, ''), cast.usdc.address)
  const names = Object.keys(expected) as (keyof typeof expected)[]
  let differences: string[] = []
  const areRight = async () => {
    const balances = await balancesOf(addressOf)
    differences = names
      .filter((name) => balances[name] !== expected[name])
      .map((name) => `the ${name} of agent ${cast.agentId} holds ${balances[name]}, not ${expected[name]}`)
    return differences.length === 0
  }
  await waitFor('the balances', BALANCES_LIMIT_MS, areRight).catch(() => undefined)
  return differences
}

/** How often USDC left this wallet. */
async function countTransfers(rpcUrl: string, usdc: string, from: `0x${string}`): Promise<number> {
  const logs = await createPublicClient({ transport: http(rpcUrl) }).getLogs({
    address: usdc as `0x${string}`,
    event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)'),
    args: { from },
    fromBlock: 0n,
  })
  return logs.length
}

/** The whole audit, as an operator runs it beside the service. */
export function audit(environment: Record<string, string>): { isClean: boolean; text: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [builtProgram('server/scripts/check-invariants.ts')],
    { env: { PATH: process.env.PATH, ...environment }, encoding: 'utf8', timeout: AUDIT_LIMIT_MS },
  )
  return { isClean: status === 0, text: `${stdout}${stderr}`.trim() }
}
