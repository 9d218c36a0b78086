import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './design/base.css'
import { connection } from './data/connection/connection.ts'
import { loadCode } from './data/connection/load-code.ts'
import { createQueries } from './data/connection/queries.ts'
import { rpcUrlOf } from './data/platform/platform-config.ts'
import { followTheme } from './design/theme.ts'
import { createAppRouter } from './router.tsx'
import { SessionProvider } from './session/SessionProvider.tsx'
import { SignInProvider } from './session/SignInProvider.tsx'
import { createSessionStore } from './session/session-store.ts'
import { TransactionProvider } from './transactions/TransactionProvider.tsx'

const queries = createQueries(connection)

const session = createSessionStore({
  baseUrl: location.origin,
  storage: localStorage,
  connection,
  loadInjectedWallets: async (reader) => {
    const [{ discoverWallets }, config] = await Promise.all([
      loadCode(() => import('./session/injected-wallets.ts')),
      reader.getConfig(),
    ])
    return discoverWallets(config, rpcUrlOf(config))
  },
})

const router = createAppRouter({ queries, session })

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

followTheme()
for (const news of ['online', 'offline']) window.addEventListener(news, connection.check)
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
