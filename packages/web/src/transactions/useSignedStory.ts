import { isMarketplaceError } from '@agent-marketplace/sdk'
import { plainError } from '../data/connection/errors.ts'
import { useSessionStore } from '../session/SessionProvider.tsx'
import type { NewTransaction } from './story.ts'
import { useTrackTx } from './TransactionProvider.tsx'

/**
 * Makes a call that the wallet signs, and tracks it: it begins with the signature and not before, so a refusal
 * to sign leaves none. When no response comes, nobody knows yet whether the money moves, so the story stays open.
 */
export function useSignedStory(): <Result>(
  story: () => NewTransaction,
  call: () => Promise<Result>,
) => Promise<Result> {
  const { track, learn } = useTrackTx()
  const { onSigned } = useSessionStore()
  return async (story, call) => {
    let id: string | undefined
    const stop = onSigned(() => {
      id ??= track(story())
    })
    try {
      return await call()
    } catch (error) {
      const isRefused = isMarketplaceError(error) && !error.retryable
      if (id !== undefined && isRefused) learn(id, { state: 'failed', failure: plainError(error).title })
      throw error
    } finally {
      stop()
    }
  }
}
