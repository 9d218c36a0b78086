import { SignClient } from '@walletconnect/sign-client'
import { hexToString } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

export interface PhoneWallet {
  /** Scans the code of a page. */
  scan(uri: string): Promise<void>
  /** The methods that signed something, in order. */
  signed: string[]
  /** How many of its connections a page has ended. */
  ended(): number
  close(): Promise<void>
}

/** A wallet on a phone, with WalletConnect's own client: it approves every connection and signs everything, or nothing. */
export async function openPhoneWallet(
  account: PrivateKeyAccount,
  relay: { url: string; projectId: string },
  { declines = false } = {},
): Promise<PhoneWallet> {
  const client = await SignClient.init({
    projectId: relay.projectId,
    relayUrl: relay.url,
    metadata: { name: 'Pocket Wallet', description: 'On a phone', url: 'https://wallet.example', icons: [] },
    telemetryEnabled: false,
    logger: 'silent',
    storageOptions: { database: ':memory:' },
    // Without it, a second wallet of this process would be the first one.
    customStoragePrefix: account.address,
  })
  const signed: string[] = []
  let ended = 0
  client.on('session_delete', () => {
    ended += 1
  })
  client.on('session_proposal', async ({ id, params }) => {
    const { eip155 } = params.optionalNamespaces
    const chains = eip155?.chains ?? []
    await client.approve({
      id,
      namespaces: {
        eip155: {
          chains,
          accounts: chains.map((chain) => `${chain}:${account.address}`),
          methods: eip155?.methods ?? [],
          events: eip155?.events ?? [],
        },
      },
    })
  })
  client.on('session_request', async ({ id, topic, params: { request } }) => {
    if (declines) {
      const error = { code: 5000, message: 'User rejected.' }
      await client.respond({ topic, response: { id, jsonrpc: '2.0', error } })
      return
    }
    signed.push(request.method)
    const result =
      request.method === 'personal_sign'
        ? await account.signMessage({ message: hexToString(request.params[0]) })
        : await account.signTypedData(JSON.parse(request.params[1]))
    await client.respond({ topic, response: { id, jsonrpc: '2.0', result } })
  })
  return {
    signed,
    ended: () => ended,
    scan: async (uri) => {
      await client.pair({ uri })
    },
    close: async () => {
      await client.core.relayer.transportClose()
      client.core.heartbeat.stop()
    },
  }
}
