import { useQueryClient } from '@tanstack/react-query'
import { toastDone } from '../../components/popups/toast.ts'
import { setServiceTime } from '../../data/platform/clock.ts'
import { usdcText } from '../../format/money.ts'
import { useSession, useSessionStore } from '../../session/SessionProvider.tsx'
import { useTransactionStore } from '../../transactions/TransactionProvider.tsx'

export const FAUCET_MICRO = 1_000_000_000n
const POLL_MS = 700

/** What the sandbox can do that a real market cannot. */
export function useSandbox() {
  const queries = useQueryClient()
  const session = useSession()
  const { reader } = useSessionStore()
  const transactions = useTransactionStore()
  return {
    /** To the wallet that is signed in, or to an account that it pays from. */
    giveMoney: async ({
      amountMicro = FAUCET_MICRO,
      address,
    }: {
      amountMicro?: bigint
      address?: string
    } = {}) => {
      if (session.status !== 'signedIn') return
      const { txHash } = await reader.sandboxFaucet({
        address: address ?? session.wallet.address,
        amount: amountMicro.toString(),
      })
      const money = `${usdcText(amountMicro)} USDC of test money`
      transactions?.track({ kind: 'faucet', label: `Receive ${money}`, txHash })
      await queries.invalidateQueries({ queryKey: ['balance'] })
      toastDone(`${money} arrived.`)
    },
    travel: async (advanceSeconds: number) => {
      const { now } = await reader.sandboxClock(advanceSeconds)
      setServiceTime(queries, reader, now)
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' })
    },
    /** Asks for it, and returns once the service has gone and come back. */
    reset: async () => {
      await reader.call('resetSandbox', { body: { confirm: 'RESET' } })
      await untilReady(false)
      await untilReady(true)
      localStorage.clear()
      sessionStorage.clear()
      location.assign('/')
    },
  }
}

/** Looks until the service is ready, or no longer is. Its going may be too quick to be seen, so that is not waited for long. */
async function untilReady(wanted: boolean): Promise<void> {
  const looks = wanted ? 200 : 6
  for (let look = 0; look < looks; look += 1) {
    const isReady = await fetch('/health/ready').then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady === wanted) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
