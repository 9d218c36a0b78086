import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Heart, LogOut, QrCode, Repeat2, Store } from 'lucide-react'
import { type ReactElement, Suspense, useState } from 'react'
import { copyText } from '../../components/buttons/copy-text.ts'
import { Money } from '../../components/money/Money.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../../components/popups/Menu.tsx'
import { toastDone, toastError } from '../../components/popups/toast.ts'
import { balanceQuery } from '../../data/account/balance.ts'
import { lazyPart } from '../../data/connection/load-code.ts'
import { useConfig } from '../../data/platform/config.ts'
import { setTheme, useTheme } from '../../design/theme.ts'
import { shortAddress } from '../../format/address.ts'
import { useSession, useSessionStore } from '../../session/SessionProvider.tsx'
import { useSignIn } from '../../session/SignInProvider.tsx'
import { walletName } from '../../session/wallet.ts'

const FundDialog = lazyPart(() => import('../funding/FundDialog.tsx'))

const themeChoices = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

const icon = 'size-4 text-ink-muted'

export default function AccountMenu({ trigger }: { trigger: ReactElement }) {
  const store = useSessionStore()
  const session = useSession()
  const signIn = useSignIn()
  const navigate = useNavigate()
  const theme = useTheme()
  const [isFunding, setIsFunding] = useState(false)
  const wallet = session.status === 'signedIn' ? session.wallet : undefined
  const { data: balanceMicro, isError } = useQuery(balanceQuery(useConfig(), wallet?.address))
  if (!wallet) return trigger

  const copy = async () => {
    if (await copyText(wallet.address)) toastDone('Address copied.')
  }

  return (
    <>
      <Menu
        trigger={trigger}
        defaultOpen
        header={
          <div className="flex flex-col gap-1 px-3 py-2">
            <span className="text-12 text-ink-faint">{walletName(wallet)}</span>
            <span className="font-mono">{shortAddress(wallet.address)}</span>
            {balanceMicro === undefined ? (
              <span className="text-ink-muted">{isError ? 'Balance unknown' : 'Reading the balance…'}</span>
            ) : (
              <Money micro={balanceMicro} className="text-16" />
            )}
          </div>
        }
      >
        <MenuLine />
        <MenuItem icon={<QrCode aria-hidden className={icon} />} onChoose={() => setIsFunding(true)}>
          Add USDC
        </MenuItem>
        <MenuItem icon={<Copy aria-hidden className={icon} />} onChoose={copy}>
          Copy address
        </MenuItem>
        <MenuItem icon={<Heart aria-hidden className={icon} />} onChoose={() => navigate({ to: '/saved' })}>
          Saved agents
        </MenuItem>
        <MenuItem icon={<Store aria-hidden className={icon} />} onChoose={() => navigate({ to: '/sell' })}>
          Seller home
        </MenuItem>
        <MenuItem icon={<Repeat2 aria-hidden className={icon} />} onChoose={signIn}>
          Switch wallet
        </MenuItem>
        <MenuLine />
        <MenuChoice label="Theme" value={theme} choices={themeChoices} onChoose={setTheme} />
        <MenuLine />
        <MenuItem
          icon={<LogOut aria-hidden className={icon} />}
          onChoose={() => store.signOut().catch(toastError)}
        >
          Sign out
        </MenuItem>
      </Menu>
      <Suspense>
        {isFunding && <FundDialog address={wallet.address} onClose={() => setIsFunding(false)} />}
      </Suspense>
    </>
  )
}
