import type { Ask, Liar } from './chaos-chain.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'

/** What a node may say that is not so. */
export const lies = [
  'empty logs',
  'partial logs',
  'stale head',
  'unknown block',
  'false header',
  'false refusal',
  'another refusal',
  'wrong nonce',
  'stale nonce',
  'stale read',
  'lost receipt',
  'false receipt',
] as const
export type Lie = (typeof lies)[number]

const PROBABILITY = 0.25
/** How far behind the chain a node is that says what was true a while ago. */
export const MOST_BLOCKS_BEHIND = 3
const REVERT = 3
/** A bloom filter that rules every log out. */
const NO_LOGS = `0x${'00'.repeat(256)}`

class FalseRefusal extends Error {
  override readonly name = 'FalseRefusal'
  readonly code = REVERT
}

/**
 * A node that is wrong a quarter of the time, like an address that is served by nodes at different heights. It
 * never says the same falsehood about the same question twice in a row; that would be another chain. It can be kept to
 * some of its lies.
 */
export function createLyingNode(seed: number, count: (lie: Lie) => void, told: readonly Lie[] = lies): Liar {
  const last = new Map<string, Lie>()
  const asked = new Map<string, number>()
  const shortLists = new Map<string, string>()

  /** By the question and how often it was asked, so that a run depends on its seed and not on how requests interleave. */
  const randomFor = (question: string): SeededRandom => {
    const times = (asked.get(question) ?? 0) + 1
    asked.set(question, times)
    return createSeededRandom(hashOf(`${seed} ${times} ${question}`))
  }

  const choose = (random: SeededRandom, question: string, options: readonly Lie[]): Lie | undefined => {
    const known = options.filter((option) => told.includes(option))
    const lie = random.chance(PROBABILITY) && known.length > 0 ? random.pick(known) : undefined
    const isRepeated = lie !== undefined && last.get(question) === lie
    if (lie === undefined || isRepeated) {
      last.delete(question)
      return undefined
    }
    last.set(question, lie)
    count(lie)
    return lie
  }

  /** Two different lies may come to the same list, as some of one log can be none of it. Then the truth is returned. */
  const isSaidAgain = (question: string, { told, truth }: Record<'told' | 'truth', unknown[]>): boolean => {
    const list = JSON.stringify(told)
    const isAgain = shortLists.get(question) === list
    if (isAgain || told.length === truth.length) shortLists.delete(question)
    else shortLists.set(question, list)
    return isAgain
  }

  const blocksBack = async (random: SeededRandom, ask: Ask): Promise<string> => {
    const head = Number(await ask('eth_blockNumber'))
    return `0x${Math.max(0, head - 1 - random.below(MOST_BLOCKS_BEHIND)).toString(16)}`
  }

  return async ({ method, params }, ask) => {
    // A call is the same question no matter which block it is requested at.
    const isCall = method === 'eth_call' || method === 'eth_estimateGas'
    const question = `${method} ${JSON.stringify(isCall ? params[0] : params)}`
    const random = randomFor(question)
    const lieAbout = (options: readonly Lie[]) => choose(random, question, options)
    switch (method) {
      case 'eth_getLogs': {
        const lie = lieAbout(['empty logs', 'partial logs'])
        const truth = (await ask(method, params)) as unknown[]
        const isKept = (): boolean => lie === undefined || (lie === 'partial logs' && random.chance(0.5))
        const told = truth.filter(isKept)
        return isSaidAgain(question, { told, truth }) ? truth : told
      }
      case 'eth_getBlockReceipts': {
        const lie = lieAbout(['unknown block', 'empty logs', 'partial logs'])
        if (lie === 'unknown block') return null
        const receipts = (await ask(method, params)) as { logs: unknown[] }[] | null
        if (lie === undefined || receipts === null) return receipts
        if (lie === 'empty logs') return []
        return receipts.map((receipt) => ({
          ...receipt,
          logs: receipt.logs.filter(() => random.chance(0.5)),
        }))
      }
      case 'eth_getBlockByNumber': {
        if (params[0] === 'latest' && lieAbout(['stale head']))
          return ask(method, [await blocksBack(random, ask), false])
        const lie = params[0] === 'latest' ? undefined : lieAbout(['unknown block', 'false header'])
        if (lie === 'unknown block') return null
        const header = (await ask(method, params)) as object | null
        return lie === undefined || header === null ? header : { ...header, logsBloom: NO_LOGS }
      }
      case 'eth_getTransactionCount': {
        const lie = lieAbout(['wrong nonce', 'stale nonce'])
        if (lie === 'stale nonce') return ask(method, [params[0], await blocksBack(random, ask)])
        const nonce = Number(await ask(method, params))
        return `0x${(lie === 'wrong nonce' ? nonce + 3 : nonce).toString(16)}`
      }
      case 'eth_getTransactionReceipt': {
        const lie = lieAbout(['lost receipt', 'false receipt'])
        if (lie === 'lost receipt') return null
        const receipt = (await ask(method, params)) as { status: string } | null
        if (lie === undefined || receipt === null) return receipt
        return { ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1', logs: [] }
      }
      case 'eth_getTransactionByHash':
        return lieAbout(['lost receipt']) ? null : ask(method, params)
      case 'eth_call':
      case 'eth_estimateGas': {
        const isPresent = params[1] === undefined || params[1] === 'latest'
        const isTrial = 'from' in (params[0] as object)
        const lie = lieAbout(isTrial ? ['false refusal', 'another refusal', 'stale read'] : ['stale read'])
        if (lie === 'false refusal') throw new FalseRefusal('execution reverted: it is not so')
        if (lie === 'another refusal') throw new FalseRefusal('execution reverted: nor is this')
        return ask(
          method,
          lie === 'stale read' && isPresent ? [params[0], await blocksBack(random, ask)] : params,
        )
      }
      default:
        return ask(method, params)
    }
  }
}

/** FNV-1a: the same number for the same text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
