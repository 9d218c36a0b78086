import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './design/base.css'
import { rpcUrlOf } from './data/config.ts'
import { followTheme } from './design/theme.ts'
import { createAppRouter } from './router.tsx'
import { SessionProvider } from './session/SessionProvider.tsx'
import { SignInProvider } from './session/SignInProvider.tsx'
import { createSessionStore } from './session/session-store.ts'
import { reloadWhenOutdated } from './shell/reload-when-outdated.ts'
import { TransactionProvider } from './transactions/TransactionProvider.tsx'

const queries = new QueryClient({
  // The client repeats what may succeed later by itself.
  defaultOptions: { queries: { retry: false, staleTime: 10_000 } },
})

const session = createSessionStore({
  baseUrl: location.origin,
  storage: localStorage,
  loadInjectedWallets: async (reader) => {
    const [{ discoverWallets }, config] = await Promise.all([
      import('./session/injected-wallets.ts'),
      reader.getConfig(),
    ])
    return discoverWallets(config, rpcUrlOf(config))
  },
})

const router = createAppRouter({ queries, session })

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

followTheme()
reloadWhenOutdated()
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <SessionProvider store={session}>
        <TransactionProvider>
          <SignInProvider>
            <RouterProvider router={router} />
          </SignInProvider>
        </TransactionProvider>
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
)
