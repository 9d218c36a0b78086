import type { Client } from 'viem'
import { getChainId } from 'viem/actions'
import { ChainError } from '../../errors.ts'

/** Asks the node which chain it serves, and throws unless it is `expected`: nothing may be signed for another one. */
export const assertChainId = async (client: Client, { expected }: { expected: number }): Promise<void> => {
  const actual = await getChainId(client)
  if (actual !== expected)
    throw new ChainError('WRONG_CHAIN', `the node serves chain ${actual}, chain ${expected} was expected`)
}
