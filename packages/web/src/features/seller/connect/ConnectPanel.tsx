import type { AgentConnection } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card, Section } from '../../../components/page/Card.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { Skeleton } from '../../../components/page/Skeleton.tsx'
import { SecretOnce } from '../../../components/text/SecretOnce.tsx'
import { connectionQuery } from '../../../data/agents/connection.ts'
import { lazyPart } from '../../../data/connection/load-code.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { ConnectChecklist } from './ConnectChecklist.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { ConnectionHealth } from './ConnectionHealth.tsx'
import { TestJob } from './TestJob.tsx'

const Snippets = lazyPart(() => import('./Snippets.tsx'))

/** How an agent gets its work: by hand, over HTTP or by A2A, with a test job and code to begin with. */
export function ConnectPanel({ wallet, isNew = false }: { wallet: string; isNew?: boolean }) {
  const connection = useQuery(connectionQuery(useClient(), wallet))
  return (
    <Section
      title="Connect your agent"
      hint="Its paid jobs are sent to your program, and what it returns is delivered."
    >
      {connection.data ? (
        <Connection wallet={wallet} connection={connection.data} isNew={isNew} />
      ) : connection.error ? (
        <ErrorState error={connection.error} onRetry={connection.refetch} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Section>
  )
}

interface ConnectionProps {
  wallet: string
  connection: AgentConnection
  isNew: boolean
}

function Connection({ wallet, connection, isNew }: ConnectionProps) {
  const [secret, setSecret] = useState<string | null>(null)
  const isConnected = connection.kind !== 'MANUAL'
  return (
    <Card className="flex flex-col gap-6">
      {(isNew || isConnected) && <ConnectChecklist connection={connection} />}
      <ConnectionForm wallet={wallet} connection={connection} onSecret={setSecret} />
      {secret !== null && (
        <div role="status" className="flex flex-col gap-2">
          <h3 className="font-medium">Your signing secret</h3>
          <SecretOnce secret={secret} label="the secret" />
        </div>
      )}
      {isConnected && <TestJob wallet={wallet} />}
      {isConnected && <ConnectionHealth connection={connection} />}
      {(connection.kind === 'HTTP' || (isNew && !isConnected)) && <Code />}
    </Card>
  )
}

/** The code comes when somebody wants to see it. */
function Code() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">Code for your agent</summary>
      {isOpen && <Snippets />}
    </details>
  )
}
