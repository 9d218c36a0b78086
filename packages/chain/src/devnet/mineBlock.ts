import type { Hex } from 'viem'
import type { Edr } from './edr.ts'

export type BlockHead = { hash: Hex; time: number }

/** `refusal` is why the machine could not run the transactions; then they are gone, and the block is empty. */
export type MinedBlock = { head: BlockHead; refusal: unknown }

/**
 * Mines what was sent under `hashes`. The machine takes each transaction by itself, but gives up on a whole block when
 * one turns out unaffordable after another of the same sender: those sent last are dropped then, and the block stays
 * empty. First run and replay both come through here, so they end alike.
 */
export const mineBlock = async (
  edr: Edr,
  { time, hashes }: { time: number; hashes: readonly Hex[] },
): Promise<MinedBlock> => {
  let refusal: unknown
  try {
    await edr.mine(time)
  } catch (error) {
    refusal = error
    for (const hash of hashes) await edr.drop(hash)
    await edr.mine(time)
  }
  return { head: await edr.latestBlock(), refusal }
}
