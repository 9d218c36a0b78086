import { loadCode } from '../data/connection/load-code.ts'
import type { SignerSources } from './open-signer.ts'
import type { PreparedTransaction, Wallet } from './wallet.ts'

/** Has the wallet send it and pay its gas; returns the hash. */
export async function sendTransaction(
  wallet: Wallet,
  transaction: PreparedTransaction,
  { rpcUrl, ...sources }: SignerSources & { rpcUrl: string },
): Promise<string> {
  if (wallet.kind === 'injected') return (await sources.injectedWallets()).send(wallet, transaction)
  const { openSavedSigner, openTestSigner, sendFrom } = await loadCode(() => import('./test-wallets.ts'))
  const account =
    wallet.kind === 'saved' ? openSavedSigner(wallet.address) : await openTestSigner(wallet, sources.reader)
  return sendFrom(account, transaction, rpcUrl)
}
