import { useQuery } from '@tanstack/react-query'
import { FlaskConical, Plus, Wallet as WalletIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Dialog } from '../components/Dialog.tsx'
import { toastDone, toastError } from '../components/toast.ts'
import { useConfig } from '../data/platform/config.ts'
import { cx } from '../design/cx.ts'
import { shortAddress } from '../format/address.ts'
import type { FoundWallet } from './injected-wallets.ts'
import { useSessionStore } from './SessionProvider.tsx'
import { useSavedWallets, useTestSignIn } from './useTestSignIn.ts'
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
  const isSandbox = useConfig()?.mode === 'sandbox'
  const wallets = useInjectedWallets(isOpen)
  const testSignIn = useTestSignIn()
  const saved = useSavedWallets()
  const [busyWith, setBusyWith] = useState<string>()

  const run = async (key: string, signIn: () => Promise<void>) => {
    setBusyWith(key)
    try {
      await signIn()
      onOpenChange(false)
      toastDone('Signed in.')
    } catch (error) {
      toastError(error)
    } finally {
      setBusyWith(undefined)
    }
  }

  const signInWith = async ({ rdns }: FoundWallet) => {
    const injected = await store.injectedWallets()
    await store.signIn(await injected.connect(rdns))
  }

  return (
    <Dialog
      title="Sign in"
      description="Your wallet signs a text that proves it is yours. It costs nothing and moves no money."
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <div className="flex flex-col gap-6">
        <ChoiceList title="Wallets in this browser">
          {wallets.map((wallet) => (
            <Choice
              key={wallet.rdns}
              icon={
                wallet.icon ? (
                  <img src={wallet.icon} alt="" className="size-6 rounded-[6px]" />
                ) : (
                  <WalletIcon aria-hidden />
                )
              }
              title={wallet.name}
              isBusy={busyWith === wallet.rdns}
              isDisabled={busyWith !== undefined}
              onChoose={() => run(wallet.rdns, () => signInWith(wallet))}
            />
          ))}
          {wallets.length === 0 && (
            <p className="rounded-box border border-dashed border-edge/50 p-4 text-14 text-ink-muted">
              No wallet was found. Install one as a browser extension and open this again
              {isSandbox ? ', or use a test wallet below.' : '.'}
            </p>
          )}
        </ChoiceList>
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
                onChoose={() => run(role, () => testSignIn(role))}
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
                onChoose={() => run(wallet.address, () => testSignIn(wallet))}
              />
            ))}
            <Choice
              icon={<Plus aria-hidden />}
              title="New test wallet"
              hint="Empty. This browser keeps it, so you can come back to it."
              isBusy={busyWith === 'new'}
              isDisabled={busyWith !== undefined}
              onChoose={() => run('new', () => testSignIn('new'))}
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

function ChoiceList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-12 text-ink-faint">{title}</h3>
      {children}
    </section>
  )
}

interface ChoiceProps {
  icon: ReactNode
  title: string
  hint?: string
  isBusy: boolean
  isDisabled: boolean
  onChoose: () => void
}

function Choice({ icon, title, hint, isBusy, isDisabled, onChoose }: ChoiceProps) {
  return (
    <button
      type="button"
      onClick={onChoose}
      disabled={isDisabled}
      aria-busy={isBusy || undefined}
      className={cx(
        'flex min-h-14 items-center gap-3 rounded-box border border-line px-4 py-2 text-left transition-colors hover:border-edge hover:bg-sunken [&>svg]:size-5 [&>svg]:text-ink-muted',
        isDisabled && !isBusy && 'opacity-50',
      )}
    >
      {icon}
      <span className="flex flex-col">
        <span className="font-medium">{isBusy ? 'Waiting for the signature…' : title}</span>
        {hint && <span className="text-14 text-ink-muted">{hint}</span>}
      </span>
    </button>
  )
}
