import { loadCode } from '../data/connection/load-code.ts'
import { openRemoteWallets, type SignerSources } from './open-signer.ts'
import type { PreparedTransaction, Wallet } from './wallet.ts'
import { WalletError } from './wallet-error.ts'

/** Has the wallet send it and pay its gas; returns the hash. */
export async function sendTransaction(
  wallet: Wallet,
  transaction: PreparedTransaction,
  { rpcUrl, ...sources }: SignerSources & { rpcUrl: string },
): Promise<string> {
  if (wallet.kind === 'injected') return (await sources.injectedWallets()).send(wallet, transaction)
  if (wallet.kind === 'remote')
    return (await openRemoteWallets(wallet.via, sources.reader)).send(wallet, transaction)
  if (wallet.kind === 'passkey')
    throw new WalletError(
      'CANNOT_SEND',
      'A passkey wallet of the sandbox signs, and sends no transactions itself. Use a test wallet for this.',
    )
  const { openSavedSigner, openTestSigner, sendFrom } = await loadCode(() => import('./test-wallets.ts'))
  const account =
    wallet.kind === 'saved' ? openSavedSigner(wallet.address) : await openTestSigner(wallet, sources.reader)
  return sendFrom(account, transaction, rpcUrl)
}
