import type { ChainPort } from '../../ports/chain/port.ts'

/** Reads logs as a node tells them and asks for no proof, as books were kept before. */
export function withoutProofs(chain: ChainPort): ChainPort {
  const { reader } = chain
  return {
    ...chain,
    reader: {
      ...reader,
      async getBlockEvents({ headers, wallets }) {
        const events = headers.map(({ number }) => {
          const range = { fromBlock: number, toBlock: number }
          return [reader.getEvents(range), reader.getUsdcEvents({ ...range, wallets: [...wallets] })]
        })
        return (await Promise.all(events.flat())).flat()
      },
    },
  }
}
