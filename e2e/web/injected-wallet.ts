import type { Page } from 'playwright-core'
import { hexToString } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

export interface InjectedWallet {
  account: PrivateKeyAccount
  /** The next signature is refused, as a person refuses it. */
  rejectNext(): void
  /** The next request of this method stays unanswered until it is released, as when nobody looks at the wallet. */
  holdNext(method: string): HeldRequest
  /** The methods that signed something, in order. */
  signed: string[]
}

export interface HeldRequest {
  /** Resolves when the page has made the request. */
  made: Promise<void>
  release(): void
}

interface ProviderRequest {
  method: string
  params?: unknown[]
}

type Reply = { result: unknown } | { code: number; message: string }

/** A wallet as browsers have them: it announces itself (EIP-6963), and a real key outside the page signs. */
export async function injectWallet(page: Page, account: PrivateKeyAccount): Promise<InjectedWallet> {
  let rejectsNext = false
  let chainId = '0x1'
  const signed: string[] = []
  const held = new Map<string, () => Promise<void>>()

  const sign = async (method: string, work: () => Promise<string>): Promise<Reply> => {
    if (rejectsNext) {
      rejectsNext = false
      return { code: 4001, message: 'User rejected the request.' }
    }
    signed.push(method)
    return { result: await work() }
  }

  const response = async ({ method, params = [] }: ProviderRequest): Promise<Reply> => {
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return { result: [account.address] }
      case 'eth_chainId':
        return { result: chainId }
      case 'wallet_requestPermissions':
      case 'wallet_getPermissions':
        return { result: [{ parentCapability: 'eth_accounts' }] }
      case 'wallet_addEthereumChain':
      case 'wallet_switchEthereumChain':
        chainId = (params[0] as { chainId: string }).chainId
        return { result: null }
      case 'personal_sign':
        return sign(method, () => account.signMessage({ message: hexToString(params[0] as `0x${string}`) }))
      case 'eth_signTypedData_v4':
        return sign(method, () => {
          const typedData = JSON.parse(String(params[1]))
          // A wallet refuses typed data of a chain that it is not on.
          if (Number(typedData.domain.chainId) !== Number(chainId)) throw new Error('wrong chain')
          return account.signTypedData(typedData)
        })
      default:
        return { code: -32601, message: `${method} is not supported` }
    }
  }

  const respondWhenReleased = async (request: ProviderRequest): Promise<Reply> => {
    const wait = held.get(request.method)
    held.delete(request.method)
    await wait?.()
    return response(request)
  }

  await page.exposeFunction('testWalletRequest', respondWhenReleased)
  await page.addInitScript(announce)
  return {
    account,
    rejectNext: () => {
      rejectsNext = true
    },
    holdNext: (method) => {
      const made = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      held.set(method, () => {
        made.resolve()
        return released.promise
      })
      return { made: made.promise, release: released.resolve }
    },
    signed,
  }
}

/** Runs in the page, so it may use nothing from outside. */
function announce(): void {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const listenersOf = (event: string) => {
    const found = listeners.get(event) ?? new Set()
    listeners.set(event, found)
    return found
  }
  const provider = {
    async request(request: ProviderRequest) {
      const ask = (
        globalThis as unknown as { testWalletRequest: (request: ProviderRequest) => Promise<Reply> }
      ).testWalletRequest
      const reply = await ask(request)
      if (!('result' in reply)) throw Object.assign(new Error(reply.message), { code: reply.code })
      if (request.method === 'wallet_switchEthereumChain') {
        const [{ chainId }] = request.params as [{ chainId: string }]
        for (const listener of listenersOf('chainChanged')) listener(chainId)
      }
      return reply.result
    },
    on(event: string, listener: (value: unknown) => void) {
      listenersOf(event).add(listener)
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      listenersOf(event).delete(listener)
    },
  }
  const detail = Object.freeze({
    info: Object.freeze({
      uuid: '8c1b7c2e-4f55-4a76-9a52-1f4f6f4c2a11',
      name: 'Test Wallet',
      icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
      rdns: 'com.example.testwallet',
    }),
    provider,
  })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
