import { type ChainClient, createChainClient, type Eip1193Provider } from '@agent-marketplace/chain'
import { type DevnetRoles, deriveRoles } from '@agent-marketplace/chain/devnet'
import { DEVNET_CHAIN_ID } from '@agent-marketplace/contract'
import { keccak256 } from 'viem'
import { addresses } from '../../../../chain/src/addresses.ts'
import { startEdr } from '../../../../chain/src/devnet/edr.ts'
import { createFaucet, type Faucet } from '../../../../chain/src/devnet/faucet.ts'
import { applyGenesis, describeGenesis } from '../../../../chain/src/devnet/genesis.ts'
import { createChainPort } from '../../ports/chain/client-adapter.ts'
import type { ChainPort, Hex } from '../../ports/chain/port.ts'

const STARTED_AT = 1_800_000_000

/** What happens to the next broadcasts. */
export type Weather =
  /** Taken and mined at once. */
  | 'fair'
  /** Taken, and mined when somebody mines. */
  | 'slow'
  /** Taken and mined, but the response is lost. */
  | 'response lost'
  /** Lost in transit; the sender gets no response. */
  | 'dropped'
  /** The node says yes and forgets it. */
  | 'forgotten'
  /** Arrives twice. */
  | 'doubled'

export type Fate = Weather | 'nonce clash'

/** Asks the machine itself. */
export type Ask = (method: string, params?: readonly unknown[]) => Promise<unknown>
/** Responds in the node's place, and may ask the machine. */
export type Liar = (request: { method: string; params: readonly unknown[] }, ask: Ask) => Promise<unknown>

/** A real EVM behind a node that misbehaves on command. It reorganises by going back to a snapshot and mining otherwise. */
export interface ChaosChain {
  chain: ChainPort
  client: ChainClient
  roles: DevnetRoles
  faucet: Faucet
  addresses: (typeof addresses)[31337] & { treasury: Hex }
  setWeather(weather: Weather): void
  /** Every request fails while the node is down. */
  setDown(isDown: boolean): void
  /** From now on the node says what the liar makes of its responses; without one it is honest. */
  setLiar(liar: Liar | undefined): void
  /** What tests do and check themselves: the node is up and honest meanwhile. */
  honestly<T>(work: () => Promise<T>): Promise<T>
  /** `safe` and `finalized` trail the head by so many blocks, and twice as many. */
  setFinalityLag(blocks: number): void
  /** The chain that the node claims to serve. */
  setChainId(chainId: number): void
  mine(seconds?: number): Promise<void>
  /** Replaces the last blocks by one more. Of their transactions those that `keeps` are mined again; the rest is gone. */
  reorganise(depth: number, keeps: (index: number) => boolean): Promise<void>
  /** Blocks since the genesis that can still be taken back. */
  depth(): number
  now(): number
  broadcasts(): number
  /** So many transactions met each fate at least once; a clash is a nonce that was taken, or not its turn. */
  fates(): ReadonlyMap<Fate, number>
  close(): Promise<void>
}

interface Block {
  snapshotBefore: unknown
  transactions: Hex[]
}

/** A transport failure, as `fetch` reports one: no response of the node's. */
class LostOnTheWay extends Error {
  override readonly name = 'LostOnTheWay'
}

export async function startChaosChain({ seed = '77'.repeat(32) } = {}): Promise<ChaosChain> {
  const roles = deriveRoles(`0x${seed}`)
  const edr = await startEdr({ startedAt: STARTED_AT })
  await applyGenesis(edr, describeGenesis(roles), STARTED_AT)
  const blocks: Block[] = []
  let waiting: Hex[] = []
  let time = STARTED_AT
  let weather: Weather = 'fair'
  let isDown = false
  let lag = 0
  let chainId: number = DEVNET_CHAIN_ID
  let broadcasts = 0
  const met = new Map<Fate, Set<Hex>>()

  const mine = async (seconds = 1): Promise<void> => {
    time += seconds
    blocks.push({ snapshotBefore: await edr.request('evm_snapshot'), transactions: waiting })
    waiting = []
    await edr.mine(time)
  }

  const take = async (raw: Hex): Promise<unknown> => {
    const hash = await edr.request('eth_sendRawTransaction', [raw])
    waiting.push(raw)
    return hash
  }

  const meet = (fate: Fate, raw: Hex): void => {
    met.set(fate, (met.get(fate) ?? new Set()).add(raw))
  }

  /** The same bytes that come again clash with nothing. */
  const isThere = (raw: Hex): boolean =>
    waiting.includes(raw) || blocks.some(({ transactions }) => transactions.includes(raw))

  const receive = async (raw: Hex): Promise<unknown> => {
    broadcasts += 1
    const fate = weather
    switch (fate) {
      case 'dropped':
        meet(fate, raw)
        throw new LostOnTheWay('the request never arrived')
      case 'forgotten':
        meet(fate, raw)
        return `0x${'00'.repeat(32)}`
      default: {
        const hash = await take(raw)
        meet(fate, raw)
        if (fate === 'slow') return hash
        await mine()
        if (fate === 'doubled') await take(raw).catch(() => undefined)
        if (fate === 'response lost') throw new LostOnTheWay('the response never arrived')
        return hash
      }
    }
  }

  const headNumber = async (): Promise<number> => Number(await edr.request('eth_blockNumber'))
  /** The machine calls its latest block safe and final; a real chain takes its time. */
  const numberOfTag = async (tag: unknown): Promise<unknown> => {
    if (tag !== 'safe' && tag !== 'finalized') return tag
    const number = Math.max(0, (await headNumber()) - (tag === 'safe' ? lag : 2 * lag))
    return `0x${number.toString(16)}`
  }

  // One request after another, so that a run depends on its seed alone and never on how calls interleave.
  let last: Promise<unknown> = Promise.resolve()
  const oneByOne = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work)
    last = result.catch(() => undefined)
    return result
  }

  const respond: Ask = async (method, params = []) => {
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    if (method === 'eth_sendRawTransaction')
      return receive(params[0] as Hex).catch((error) => {
        if (/nonce/i.test(String(error)) && !isThere(params[0] as Hex)) meet('nonce clash', params[0] as Hex)
        throw error
      })
    if (method === 'eth_getBlockByNumber')
      return edr.request(method, [await numberOfTag(params[0]), params[1]])
    if (method === 'eth_getTransactionCount')
      return edr.request(method, [params[0], await numberOfTag(params[1])])
    return edr.request(method, params)
  }
  let liar: Liar | undefined
  const provider: Eip1193Provider = {
    request: ({ method, params = [] }) =>
      oneByOne(async () => {
        if (isDown) throw new LostOnTheWay('the node is down')
        return liar ? liar({ method, params }, respond) : respond(method, params)
      }),
  }
  const client = createChainClient({ chainId: DEVNET_CHAIN_ID, provider })
  const { operator, spender } = roles
  const chain = await createChainPort({
    client,
    escrow: addresses[31337].escrow,
    signers: { operator, spender },
  })

  return {
    chain,
    client,
    roles,
    faucet: await createFaucet(provider, roles.faucet),
    addresses: { ...addresses[31337], treasury: roles.treasury.address },
    setWeather(next) {
      weather = next
    },
    setDown(next) {
      isDown = next
    },
    setLiar(next) {
      liar = next
    },
    async honestly(work) {
      const [silenced, wasDown] = [liar, isDown]
      liar = undefined
      isDown = false
      try {
        return await work()
      } finally {
        liar = silenced
        isDown = wasDown
      }
    },
    setFinalityLag(next) {
      lag = next
    },
    setChainId(next) {
      chainId = next
    },
    mine: (seconds) => oneByOne(() => mine(seconds)),
    reorganise: (depth, keeps) =>
      oneByOne(async () => {
        const gone = blocks.splice(blocks.length - depth, depth)
        const [first] = gone
        if (first === undefined) return
        await edr.request('evm_revert', [first.snapshotBefore])
        waiting = []
        // The snapshot was taken with these already in the pool.
        for (const raw of first.transactions) await edr.request('hardhat_dropTransaction', [keccak256(raw)])
        const kept = gone.flatMap(({ transactions }) => transactions).filter((_raw, index) => keeps(index))
        // One whose nonce no longer follows is refused by the machine, as by any node's pool of ready transactions.
        for (const raw of kept) await take(raw).catch(() => undefined)
        for (let count = 0; count <= depth; count += 1) await mine()
      }),
    depth: () => blocks.length,
    now: () => time,
    broadcasts: () => broadcasts,
    fates: () => new Map([...met].map(([fate, { size }]) => [fate, size])),
    close: () => edr.close(),
  }
}
