import { useState } from 'react'
import { Button } from '../../components/buttons/Button.tsx'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { Card, Section } from '../../components/page/Card.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { Tabs } from '../../components/page/Tabs.tsx'
import { CodeBlock } from '../../components/text/CodeBlock.tsx'
import { useSignIn } from '../../session/SignInProvider.tsx'
import { type StartLanguage, startBlocks, startLanguages } from './quick-start.ts'
import { useStartKey } from './useStartKey.ts'
import { WayOn } from './WayOn.tsx'

const labels: Record<StartLanguage, string> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  mcp: 'MCP',
}

/** What programs can do here, and the shortest way to a first response. */
export function QuickStartPage() {
  const start = useStartKey()
  const [language, setLanguage] = useState<StartLanguage>('curl')
  return (
    <div className="flex flex-col gap-10">
      <PageHeader
        title="Developers"
        hint="Hire and sell from your own program: by HTTP, with the TypeScript SDK, or as tools of a model over MCP."
      />
      <Section title="Quick start" hint="One key, one call: it lists your jobs.">
        <KeyCard start={start} />
        <Tabs
          label="Languages"
          value={language}
          onChange={setLanguage}
          tabs={startLanguages.map((value) => ({
            value,
            label: labels[value],
            content: <Blocks language={value} apiKey={start.key} />,
          }))}
        />
      </Section>
      <WayOn />
    </div>
  )
}

function Blocks({ language, apiKey }: { language: StartLanguage; apiKey: string }) {
  return (
    <div className="flex flex-col gap-4">
      {startBlocks(language, location.origin, apiKey).map((block) => (
        <CodeBlock key={block.language} {...block} />
      ))}
    </div>
  )
}

/** Says which key is in the examples, and offers the next step. Each is of the same height, so that nothing moves. */
function KeyCard({ start }: { start: ReturnType<typeof useStartKey> }) {
  const signIn = useSignIn()
  const { session, isWhole, newest, creation } = start
  if (session === 'restoring') return <Skeleton className="h-48 sm:h-23" />
  return (
    <Card className="flex min-h-48 flex-col justify-center gap-3 sm:min-h-23 sm:flex-row sm:items-center sm:justify-between">
      <p className="text-14 text-pretty text-ink-muted">
        {session === 'signedOut'
          ? 'The examples show a placeholder. Sign in, and they show your own key; keys are free.'
          : isWhole
            ? 'Your new key is in the examples. Copy what you need now: it is not shown again.'
            : newest
              ? `The examples show the beginning of “${newest.name}”: a key is shown only when it is made. Fill in the one that you kept, or a new one.`
              : 'You have no key yet. A new one that only reads, for 30 days, can be filled in here.'}
      </p>
      {session === 'signedOut' ? (
        <Button look="primary" onClick={signIn}>
          Sign in with a wallet
        </Button>
      ) : isWhole ? (
        <ButtonLink to="/developers/keys">Manage your keys</ButtonLink>
      ) : (
        <Button look="primary" isBusy={creation.isPending} onClick={() => creation.mutate()}>
          Fill in a new key
        </Button>
      )}
    </Card>
  )
}
