import type { BlockHeader, ChainReader } from '../../ports/chain/port.ts'

interface InBlock {
  blockNumber: bigint
  blockHash: string
}

/**
 * The headers of the blocks that these facts were found in, besides those known already. Undefined when one of them is
 * gone: the chain moved under our eyes, and the facts are not of one piece.
 */
export async function readHeadersOf(
  reader: Pick<ChainReader, 'getBlock'>,
  facts: readonly InBlock[],
  known: readonly BlockHeader[],
): Promise<Map<bigint, BlockHeader> | undefined> {
  const headers = new Map(known.map((header) => [header.number, header]))
  const wanted = new Set(facts.map(({ blockNumber }) => blockNumber).filter((number) => !headers.has(number)))
  const found = await Promise.all([...wanted].map((number) => reader.getBlock(number)))
  for (const header of found) if (header) headers.set(header.number, header)
  const isOfOnePiece = facts.every(
    ({ blockNumber, blockHash }) => headers.get(blockNumber)?.hash === blockHash,
  )
  return isOfOnePiece ? headers : undefined
}
