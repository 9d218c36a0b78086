import { ChevronDown, FlaskConical } from 'lucide-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { toastError } from '../../components/popups/toast.ts'
import { lazyPart } from '../../data/connection/load-code.ts'
import { useNowMs } from '../../data/platform/clock.ts'
import { cx } from '../../design/cx.ts'
import { capital } from '../../format/capital.ts'
import { localTime, utcTime } from '../../format/time.ts'
import { useSession } from '../../session/SessionProvider.tsx'
import { useSavedWallets, useTestSignIn } from '../../session/useTestSignIn.ts'
import { testRoles } from '../../session/wallet.ts'
import { useSandbox } from './useSandbox.ts'

const ResetDialog = lazyPart(() => import('./ResetDialog.tsx'))
const RenameDialog = lazyPart(() => import('./RenameDialog.tsx'))

const jumps = [
  { label: '+1 h', seconds: 3_600 },
  { label: '+1 d', seconds: 86_400 },
  { label: '+7 d', seconds: 7 * 86_400 },
] as const

/** The playground's own controls: who am I, money, time, and all over again. One button on a phone. */
export function SandboxBar() {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const [dialog, setDialog] = useState<'reset' | 'rename'>()
  const [busyWith, setBusyWith] = useState<string>()
  const isRunning = useRef(false)
  const session = useSession()
  const testSignIn = useTestSignIn()
  const { giveMoney, travel } = useSandbox()
  const wallet = session.status === 'signedIn' ? session.wallet : undefined
  const current = wallet?.kind === 'test' ? wallet.role : undefined
  const saved = useSavedWallets()

  const run = async (key: string, action: () => Promise<void>) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusyWith(key)
    await action().catch(toastError)
    setBusyWith(undefined)
    isRunning.current = false
  }
  const tool = (key: string, label: ReactNode, action: () => Promise<void>, isPressed?: boolean) => (
    <BarButton
      key={key}
      isBusy={busyWith === key}
      isDisabled={busyWith !== undefined}
      isPressed={isPressed}
      onClick={() => run(key, action)}
    >
      {label}
    </BarButton>
  )

  return (
    <aside aria-label="Sandbox" className="bg-sandbox text-14 text-on-sandbox print:hidden">
      <div className="mx-auto max-w-page px-4 sm:flex sm:min-h-11 sm:flex-wrap sm:items-center sm:gap-x-4 sm:px-6">
        <button
          type="button"
          aria-expanded={isUnfolded}
          onClick={() => setIsUnfolded(!isUnfolded)}
          className="flex min-h-11 w-full items-center gap-2 sm:hidden"
        >
          <FlaskConical aria-hidden className="size-4" />
          <span className="font-medium">Sandbox</span>
          <SandboxTime />
          <ChevronDown
            aria-hidden
            className={cx('ml-auto size-4 transition-transform', isUnfolded && 'rotate-180')}
          />
        </button>
        <p className="hidden items-center gap-2 font-medium sm:flex">
          <FlaskConical aria-hidden className="size-4" />
          Sandbox
        </p>
        <div
          className={cx(
            'flex-wrap items-center gap-x-4 gap-y-1 pb-2 sm:flex sm:flex-1 sm:pb-0',
            isUnfolded ? 'flex' : 'hidden',
          )}
        >
          <Tools label="Time">
            <span className="mr-1.5 hidden sm:block">
              <SandboxTime />
            </span>
            {jumps.map(({ label, seconds }) => tool(label, label, () => travel(seconds)))}
          </Tools>
          {/* What comes with the session stands last: nothing is behind it that it could push. */}
          <Tools label="Act as">
            {testRoles.map((role) => tool(role, capital(role), () => testSignIn(role), current === role))}
            {tool('new', 'New', () => testSignIn('new'))}
            {saved.length > 0 && (
              <select
                aria-label="Your test wallets"
                value={wallet?.kind === 'saved' ? wallet.address : ''}
                aria-disabled={busyWith !== undefined || undefined}
                onChange={({ target }) => {
                  const chosen = saved.find(({ address }) => address === target.value)
                  if (chosen) run(chosen.address, () => testSignIn(chosen))
                }}
                className="min-h-11 max-w-36 rounded-box bg-sandbox px-2 hover:bg-on-sandbox/10 focus-visible:outline-on-sandbox sm:min-h-8"
              >
                <option value="" disabled>
                  Your wallets
                </option>
                {saved.map(({ name, address }) => (
                  <option key={address} value={address}>
                    {name}
                  </option>
                ))}
              </select>
            )}
            {wallet?.kind === 'saved' && <BarButton onClick={() => setDialog('rename')}>Rename</BarButton>}
          </Tools>
          {wallet && <Tools label="Faucet">{tool('faucet', '+1,000 USDC', () => giveMoney())}</Tools>}
          <span className="sm:ml-auto">
            <BarButton onClick={() => setDialog('reset')}>Reset</BarButton>
          </span>
        </div>
      </div>
      <Suspense>
        {dialog === 'reset' && <ResetDialog onClose={() => setDialog(undefined)} />}
        {dialog === 'rename' && <RenameDialog onClose={() => setDialog(undefined)} />}
      </Suspense>
    </aside>
  )
}

function SandboxTime() {
  const nowMs = useNowMs(1_000)
  return (
    <time title={utcTime(nowMs)} className="font-mono text-12 whitespace-nowrap text-on-sandbox-muted">
      {localTime(nowMs, { hasYear: false })}
    </time>
  )
}

function Tools({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot lie in a row of the bar
    <div role="group" aria-label={label} className="flex items-center gap-0.5 max-sm:flex-wrap">
      <span aria-hidden className="mr-1 text-12 whitespace-nowrap text-on-sandbox-muted">
        {label}
      </span>
      {children}
    </div>
  )
}

interface BarButtonProps {
  onClick: () => void
  isBusy?: boolean
  isDisabled?: boolean
  isPressed?: boolean | undefined
  children: ReactNode
}

function BarButton({ onClick, isBusy = false, isDisabled = false, isPressed, children }: BarButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      aria-disabled={isDisabled || undefined}
      aria-busy={isBusy || undefined}
      aria-pressed={isPressed}
      className={cx(
        'min-h-11 rounded-box px-2.5 whitespace-nowrap transition-colors hover:bg-on-sandbox/10 sm:min-h-8',
        'focus-visible:outline-on-sandbox aria-pressed:bg-on-sandbox aria-pressed:text-sandbox',
        isBusy && 'animate-pulse',
      )}
    >
      {children}
    </button>
  )
}
