import { useQuery } from '@tanstack/react-query'
import { FlaskConical, Plus, Wallet as WalletIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../components/popups/Dialog.tsx'
import { toastDone, toastError } from '../components/popups/toast.ts'
import { useConfig } from '../data/platform/config.ts'
import type { PlatformConfig } from '../data/platform/platform-config.ts'
import { shortAddress } from '../format/address.ts'
import { Choice, ChoiceList } from './Choice.tsx'
import type { FoundWallet } from './injected-wallets.ts'
import { PairingCode } from './PairingCode.tsx'
import { useSessionStore } from './SessionProvider.tsx'
import { useSavedWallets, useTestSignIn } from './useTestSignIn.ts'
import { hasWays, WaysWithoutExtension } from './WaysWithoutExtension.tsx'
import { type TestRole, testRoles } from './wallet.ts'

interface SignInDialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

const roleHints: Record<TestRole, string> = {
  buyer: 'Has test USDC. Hires and pays.',
  seller: 'Verified. Owns agents and delivers.',
  admin: 'Approves agents and rules on disputes.',
}

export default function SignInDialog({ isOpen, onOpenChange }: SignInDialogProps) {
  const store = useSessionStore()
  const config = useConfig()
  const isSandbox = config?.mode === 'sandbox'
  const wallets = useInjectedWallets(isOpen)
  const testSignIn = useTestSignIn()
  const saved = useSavedWallets()
  const [busyWith, setBusyWith] = useState<string>()
  const [pairingUri, setPairingUri] = useState<string>()
  const attempt = useRef<AbortController>(undefined)

  const run = async (key: string, signIn: (signal: AbortSignal) => Promise<void>) => {
    if (attempt.current) return
    const current = new AbortController()
    attempt.current = current
    setBusyWith(key)
    try {
      await signIn(current.signal)
      if (attempt.current !== current) return
      onOpenChange(false)
      toastDone('Signed in.')
    } catch (error) {
      if (!current.signal.aborted) toastError(error)
    } finally {
      if (attempt.current === current) end()
    }
  }
  /** Nothing is waited for any more. */
  const end = () => {
    attempt.current?.abort()
    attempt.current = undefined
    setBusyWith(undefined)
    setPairingUri(undefined)
  }
  const change = (isWanted: boolean) => {
    if (!isWanted) end()
    onOpenChange(isWanted)
  }

  const signInWith = async ({ rdns }: FoundWallet, signal: AbortSignal) => {
    const injected = await store.injectedWallets()
    await store.signIn(await injected.connect(rdns), signal)
  }

  return (
    <Dialog
      title="Sign in"
      description="Your wallet signs a text that proves it is yours. It costs nothing and moves no money."
      isOpen={isOpen}
      onOpenChange={change}
    >
      {pairingUri !== undefined && <PairingCode uri={pairingUri} onCancel={end} />}
      <div className={pairingUri === undefined ? 'flex flex-col gap-6' : 'hidden'}>
        <ChoiceList title="Wallets in this browser">
          {wallets.map((wallet) => (
            <Choice
              key={wallet.rdns}
              icon={
                wallet.icon ? (
                  <img src={wallet.icon} alt="" className="size-5 rounded-[6px]" />
                ) : (
                  <WalletIcon aria-hidden />
                )
              }
              title={wallet.name}
              isBusy={busyWith === wallet.rdns}
              isDisabled={busyWith !== undefined}
              onChoose={() => run(wallet.rdns, (signal) => signInWith(wallet, signal))}
            />
          ))}
          {wallets.length === 0 && (
            <p className="rounded-box border border-dashed border-edge/50 p-4 text-14 text-ink-muted">
              {noWalletWords(config)}
            </p>
          )}
        </ChoiceList>
        <WaysWithoutExtension busyWith={busyWith} run={run} onPairing={setPairingUri} />
        {isSandbox && (
          <ChoiceList title="Test wallets of this sandbox">
            {testRoles.map((role) => (
              <Choice
                key={role}
                icon={<FlaskConical aria-hidden />}
                title={`Test ${role}`}
                hint={roleHints[role]}
                isBusy={busyWith === role}
                isDisabled={busyWith !== undefined}
                onChoose={() => run(role, (signal) => testSignIn(role, signal))}
              />
            ))}
            {saved.map((wallet) => (
              <Choice
                key={wallet.address}
                icon={<WalletIcon aria-hidden />}
                title={wallet.name}
                hint={`Made in this browser. ${shortAddress(wallet.address)}`}
                isBusy={busyWith === wallet.address}
                isDisabled={busyWith !== undefined}
                onChoose={() => run(wallet.address, (signal) => testSignIn(wallet, signal))}
              />
            ))}
            <Choice
              icon={<Plus aria-hidden />}
              title="New test wallet"
              hint="Empty. This browser keeps it, so you can come back to it."
              isBusy={busyWith === 'new'}
              isDisabled={busyWith !== undefined}
              onChoose={() => run('new', (signal) => testSignIn('new', signal))}
            />
          </ChoiceList>
        )}
      </div>
    </Dialog>
  )
}

/** What the browser has now, and what announces itself while the dialog is open. */
function useInjectedWallets(isOpen: boolean): FoundWallet[] {
  const store = useSessionStore()
  const { data, refetch } = useQuery({
    queryKey: ['config', 'injected-wallets'],
    queryFn: async () => (await store.injectedWallets()).list(),
    enabled: isOpen,
    staleTime: 0,
  })
  useEffect(() => {
    if (!isOpen) return
    let stop = () => {}
    let hasEnded = false
    store.injectedWallets().then(
      (injected) => {
        if (!hasEnded) stop = injected.watch(() => refetch())
      },
      () => {},
    )
    return () => {
      hasEnded = true
      stop()
    }
  }, [isOpen, store, refetch])
  return data ?? []
}

function noWalletWords(config: PlatformConfig | undefined): string {
  if (config && hasWays(config))
    return 'No wallet extension was found. You do not need one: choose a way below.'
  const install = 'No wallet was found. Install one as a browser extension and open this again'
  return config?.mode === 'sandbox' ? `${install}, or use a test wallet below.` : `${install}.`
}
