import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import { savedWalletsQuery } from '../../../data/agents/saved-agents.ts'
import { loadCode } from '../../../data/connection/load-code.ts'
import { cx } from '../../../design/cx.ts'
import { useSession } from '../../../session/SessionProvider.tsx'
import { useSignInFor } from '../../../session/SignInProvider.tsx'

interface SaveToggleProps {
  walletAddress: string
  name: string
  /** With its word beside it, where there is room. */
  hasWord?: boolean
}

/** Saves an agent, or takes it from the list. Visitors are asked to sign in, and then it is saved: the list is kept with the account. */
export function SaveToggle({ walletAddress, name, hasWord = false }: SaveToggleProps) {
  const { client, status } = useSession()
  const signInFor = useSignInFor()
  const queries = useQueryClient()
  const isSignedIn = status === 'signedIn'
  const { data: saved } = useQuery({ ...savedWalletsQuery(client), enabled: isSignedIn })
  const isSaved = isSignedIn && saved?.includes(walletAddress.toLowerCase()) === true
  const toggle = async (as: MarketplaceClient, isWanted: boolean) => {
    const { toggleSaved } = await loadCode(() => import('./toggle-saved.ts'))
    toggleSaved({ client: as, queries, walletAddress, isWanted })
  }
  return (
    <button
      type="button"
      aria-pressed={isSaved}
      title={isSaved ? 'Saved' : 'Save'}
      onClick={() =>
        isSignedIn ? toggle(client, !isSaved) : signInFor((signedIn) => toggle(signedIn, true))
      }
      className={cx(
        'relative z-1 inline-flex items-center justify-center gap-2 rounded-box text-14 text-ink-muted transition-colors hover:bg-sunken hover:text-ink',
        hasWord ? 'min-h-11 border border-edge/60 px-3 font-medium' : 'size-9 after:absolute after:-inset-1',
      )}
    >
      <Heart aria-hidden className={cx('size-4', isSaved && 'fill-current text-accent')} />
      <span className={hasWord ? '' : 'sr-only'}>{isSaved ? 'Saved' : 'Save'}</span>
      <span className="sr-only"> {name}</span>
    </button>
  )
}
