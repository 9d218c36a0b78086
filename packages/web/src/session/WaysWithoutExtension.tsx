import { Fingerprint, Plus, Smartphone } from 'lucide-react'
import { loadCode } from '../data/connection/load-code.ts'
import { useConfig } from '../data/platform/config.ts'
import type { PlatformConfig } from '../data/platform/platform-config.ts'
import { shortAddress } from '../format/address.ts'
import { Choice, ChoiceList } from './Choice.tsx'
import { openRemoteWallets } from './open-signer.ts'
import { savedPasskeys } from './passkeys/saved-passkeys.ts'
import { useSessionStore } from './SessionProvider.tsx'

/** Where Coinbase Smart Wallets exist: Base and Base Sepolia. */
const coinbaseChains = [8453, 84532]

interface WaysProps {
  busyWith: string | undefined
  run: (key: string, signIn: (signal: AbortSignal) => Promise<void>) => void
  onPairing: (uri: string) => void
}

/** Wallets that need nothing installed in this browser: on a phone, or owned by a passkey. */
export function WaysWithoutExtension({ busyWith, run, onPairing }: WaysProps) {
  const store = useSessionStore()
  const config = useConfig()
  if (!config || !hasWays(config)) return null
  const { chain, wallets } = config
  const stateOf = (key: string) => ({ isBusy: busyWith === key, isDisabled: busyWith !== undefined })
  const connect = async (way: 'walletConnect' | 'coinbase', signal: AbortSignal) => {
    const remote = await openRemoteWallets(way, store.reader)
    await store.signIn(await remote.connect(onPairing, signal), signal)
  }
  const createPasskey = async (signal: AbortSignal) => {
    const { createPasskeyWallet } = await loadCode(() => import('./passkeys/passkey-wallet.ts'))
    await store.signIn(await createPasskeyWallet(config), signal)
  }
  return (
    <ChoiceList title="Without an extension">
      {coinbaseChains.includes(chain.id) && (
        <Choice
          icon={<Fingerprint aria-hidden />}
          title="Coinbase Smart Wallet"
          hint="With a passkey: your finger, face or PIN. Opens keys.coinbase.com."
          {...stateOf('coinbase')}
          // Browsers let a window be opened only right after the click, so its code is there before.
          onReach={() => openRemoteWallets('coinbase', store.reader).catch(() => {})}
          onChoose={() => run('coinbase', (signal) => connect('coinbase', signal))}
        />
      )}
      {wallets.walletConnect && (
        <Choice
          icon={<Smartphone aria-hidden />}
          title="Wallet on your phone"
          hint="Scan a code with it (WalletConnect)."
          {...stateOf('walletConnect')}
          onChoose={() => run('walletConnect', (signal) => connect('walletConnect', signal))}
        />
      )}
      {canUsePasskeys(config) && (
        <>
          {savedPasskeys.list().map(({ name, address }) => (
            <Choice
              key={address}
              icon={<Fingerprint aria-hidden />}
              title={name}
              hint={`A passkey of this device. ${shortAddress(address)}`}
              {...stateOf(address)}
              onChoose={() =>
                run(address, (signal) => store.signIn({ kind: 'passkey', name, address }, signal))
              }
            />
          ))}
          <Choice
            icon={<Plus aria-hidden />}
            title="New passkey wallet"
            hint="Your finger, face or PIN signs. For this sandbox only."
            {...stateOf('passkey')}
            onChoose={() => run('passkey', createPasskey)}
          />
        </>
      )}
    </ChoiceList>
  )
}

export const hasWays = (config: PlatformConfig): boolean =>
  coinbaseChains.includes(config.chain.id) || config.wallets.walletConnect !== null || canUsePasskeys(config)

/** Browsers make passkeys for names, and not for bare addresses such as 127.0.0.1. */
const canUsePasskeys = ({ wallets }: PlatformConfig): boolean =>
  wallets.passkeyFactory !== null &&
  isSecureContext &&
  'PublicKeyCredential' in window &&
  !/^[\d.]+$|:/.test(location.hostname)
