import type { ApiKey } from '@agent-marketplace/contract'
import type { Column } from '../../components/lists/DataTable.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { CredentialBudget } from './CredentialBudget.tsx'
import { mayWords } from './key-scopes.ts'

/** What an API key and a connected app have in common. */
type Credential = Pick<ApiKey, 'scopes' | 'budget' | 'lastUsedAt' | 'expiresAt'>

const timeOrNever = (at: string | null) => (at ? <TimeAgo at={at} /> : 'never')

export const credentialColumns: Column<Credential>[] = [
  { key: 'scopes', header: 'May', cell: ({ scopes }) => mayWords(scopes) },
  { key: 'budget', header: 'Budget', cell: ({ budget }) => <CredentialBudget budget={budget} /> },
  { key: 'used', header: 'Last used', cell: ({ lastUsedAt }) => timeOrNever(lastUsedAt) },
  { key: 'expires', header: 'Ends', cell: ({ expiresAt }) => timeOrNever(expiresAt) },
]
