import type { Address, Client } from 'viem'
import { getTransactionCount } from 'viem/actions'

/** The next nonce of `address`: after everything mined (`latest`), or after everything the node has seen (`pending`). */
export const getNonce = (
  client: Client,
  { address, blockTag }: { address: Address; blockTag: 'latest' | 'pending' },
): Promise<number> => getTransactionCount(client, { address, blockTag })
