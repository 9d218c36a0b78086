import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createPublicClient, erc20Abi, http } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { BodyAt, Reply } from './reply.ts'

/** Someone who uses the service from outside: a wallet, a session, and plain HTTP. */
export interface Client {
  wallet: PrivateKeyAccount
  ownerId: string
  /** Of its session. */
  token: string
  get<Path extends string>(path: Path): Promise<Reply<BodyAt<'GET', Path>>>
  post<Path extends string>(
    path: Path,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Reply<BodyAt<'POST', Path>>>
  /** A call that is paid by x402, with the stock client. */
  pay<Path extends string>(
    path: Path,
    body?: object,
  ): Promise<Reply<BodyAt<'POST', Path>> & { txHash: string | undefined }>
}

export async function signIn(
  url: string,
  wallet = privateKeyToAccount(generatePrivateKey()),
): Promise<Client> {
  const { body: asked } = await send(url, 'POST', '/api/auth/request-nonce', {
    walletAddress: wallet.address,
  })
  const signature = await wallet.signMessage({ message: asked.data.message })
  const { body } = await send(url, 'POST', '/api/auth/verify-signature', {
    walletAddress: wallet.address,
    nonce: asked.data.nonce,
    signature,
  })
  const { token } = body.data
  const authorization = { authorization: `Bearer ${token}` }
  const { body: config } = await send(url, 'GET', '/api/config')
  const network = `eip155:${config.data.chain.id}` as const
  const payer = new x402Client().register(network, new ExactEvmScheme(wallet)).setSpendControls({
    maxAmountPerPayment: '$100',
    allowedAssets: [{ network, asset: config.data.usdc.address }],
  })
  return {
    wallet,
    ownerId: body.owner.id,
    token,
    get: (path) => send(url, 'GET', path, undefined, authorization),
    post: (path, sent, headers = {}) => send(url, 'POST', path, sent, { ...authorization, ...headers }),
    async pay(path, sent) {
      const reply = await send(url, 'POST', path, sent, authorization, wrapFetchWithPayment(fetch, payer))
      const header = reply.headers.get('payment-response')
      return { ...reply, txHash: header ? decodePaymentResponseHeader(header).transaction : undefined }
    },
  }
}

async function send<Method extends 'GET' | 'POST', Path extends string>(
  url: string,
  method: Method,
  path: Path,
  body?: object,
  headers: Record<string, string> = {},
  call: typeof fetch = fetch,
): Promise<Reply<BodyAt<Method, Path>>> {
  const init = body
    ? { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
    : { method, headers }
  const response = await call(url + path, init)
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers }
}

export type SignableData = Parameters<PrivateKeyAccount['signTypedData']>[0]

/** The typed data of a response, as viem takes it: the contract knows addresses as plain strings. */
export function signableOf(typedData: object | undefined): SignableData {
  if (!typedData) throw new Error('There is nothing to sign.')
  return typedData as SignableData
}

/** The USDC balances of named addresses, read from the chain itself. */
export function createBalances(url: string, usdc: string) {
  const chain = createPublicClient({ transport: http(`${url}/rpc`) })
  return async <Name extends string>(addresses: Record<Name, string>): Promise<Record<Name, bigint>> => {
    const entries = Object.entries<string>(addresses).map(async ([name, address]) => {
      const balance = await chain.readContract({
        address: usdc as `0x${string}`,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address as `0x${string}`],
      })
      return [name, balance] as const
    })
    return Object.fromEntries(await Promise.all(entries)) as Record<Name, bigint>
  }
}
