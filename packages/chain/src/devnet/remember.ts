type Request = (method: string, params?: readonly unknown[]) => Promise<unknown>

/** What the chain says about mined blocks. It stays the same until the next one. */
const rememberedMethods = new Set([
  'eth_blockNumber',
  'eth_chainId',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getTransactionReceipt',
])

/** Mining, and whatever else only the owner of the machine may do with it. */
const changesChain = (method: string): boolean => method.startsWith('evm_') || method.startsWith('hardhat_')

/** Between two blocks few different things are requested. A client that asks for more gets them from the machine. */
const MOST_REMEMBERED = 1_000

/** A method, a hash and a flag fit. What is longer is nothing that the service asks, and a thousand of them would fill the memory. */
const LONGEST_KEY = 200

/**
 * The service reads the same blocks and receipts several times before the next block comes, and a request to the machine
 * costs far more than a look into a map. While the chain changes nothing is remembered: a response may be of before or
 * after. Null is requested again: what is not there may come at any time.
 */
export const remember = (ask: Request): Request => {
  let responses = new Map<string, Promise<unknown>>()
  let changes = 0

  const change: Request = async (method, params) => {
    changes += 1
    responses = new Map()
    try {
      return await ask(method, params)
    } finally {
      changes -= 1
    }
  }

  return (method, params = []) => {
    if (changesChain(method)) return change(method, params)
    const [subject, isFull] = params
    // A block with all of its transactions is large, and nobody here asks for it twice.
    const isLasting = rememberedMethods.has(method) && subject !== 'pending' && isFull !== true
    if (!isLasting || changes > 0) return ask(method, params)
    const key = JSON.stringify([method, params])
    const known = responses.get(key)
    if (known) return known
    const asked = ask(method, params)
    if (responses.size >= MOST_REMEMBERED || key.length > LONGEST_KEY) return asked
    const remembering = responses
    const forget = () => remembering.delete(key)
    remembering.set(key, asked)
    asked.then((response) => response === null && forget(), forget)
    return asked
  }
}
