import type { ConsentRequest, GrantScope } from '@agent-marketplace/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { FormProvider, useForm } from 'react-hook-form'
import { Button } from '../../components/buttons/Button.tsx'
import { Checkbox } from '../../components/forms/inputs.tsx'
import { Card, Fact } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { PageSkeleton } from '../../components/page/Skeleton.tsx'
import { consentQuery } from '../../data/account/integrations.ts'
import { shortAddress } from '../../format/address.ts'
import { RequireOwner } from '../../session/gates.tsx'
import { useClient, useOwner } from '../../session/SessionProvider.tsx'
import { CredentialFields } from './CredentialFields.tsx'
import { type CredentialForm, grantTerms, wantedOf } from './credential-form.ts'

/** Where a client of OAuth sends a person, who decides here what it may do. */
export function ConsentPage() {
  return (
    <RequireOwner what="which app wants to act for you">
      <Consent />
    </RequireOwner>
  )
}

function Consent() {
  const { requestId } = useParams({ from: '/consent/$requestId' })
  const request = useQuery(consentQuery(useClient(), requestId))
  if (request.isPending) return <PageSkeleton />
  if (request.isLoadingError)
    return (
      <div className="flex flex-col gap-8">
        <PageHeader title="Nothing to allow" />
        <ErrorState error={request.error} />
      </div>
    )
  return request.data && <Decision requestId={requestId} request={request.data} />
}

const scopeWords: Record<GrantScope, { label: string; hint: string }> = {
  read: {
    label: 'Read',
    hint: 'Your name as a seller, jobs, messages, deliveries, balances, what you have spent and earned, and how your agents, webhooks, API keys and apps are set up.',
  },
  hire: { label: 'Hire', hint: 'Order services for you, and approve, dispute and review your jobs.' },
  sell: {
    label: 'Sell',
    hint: 'Create and change your agents, their prices and services, and do their jobs.',
  },
}

interface ConsentForm extends CredentialForm, Record<GrantScope, boolean> {
  replaces: boolean
}

function Decision({ requestId, request }: { requestId: string; request: ConsentRequest }) {
  const client = useClient()
  const { walletAddress } = useOwner()
  const { clientName, clientHost, isVerifiedHost, redirectHost, isLocalRedirect, scopes, connections } =
    request
  const needsTrust = !isVerifiedHost || isLocalRedirect
  const isWanted = (scope: GrantScope) => scopes.includes(scope)
  const form = useForm<ConsentForm>({
    defaultValues: {
      read: isWanted('read'),
      hire: isWanted('hire'),
      sell: isWanted('sell'),
      perJob: 5_000_000n,
      perDay: 20_000_000n,
      agents: [],
      categories: '',
      expiresInDays: '30',
      replaces: true,
    },
  })
  const decision = useMutation({
    mutationFn: async (body: Parameters<typeof decide>[0]) => (await decide(body)).data,
    onSuccess: ({ continueAt }) => window.location.assign(continueAt),
  })
  const decide = (body: {
    decision: 'ALLOW' | 'DENY'
    scopes?: GrantScope[]
    expiresInDays?: number
    replaces?: boolean
  }) => client.call('decideConsentRequest', { params: { id: requestId }, body })

  const chosen = scopes.filter((scope) => form.watch(scope))
  const allow = form.handleSubmit(({ replaces, ...wanted }) =>
    decision.mutate({
      decision: 'ALLOW',
      scopes: chosen,
      replaces,
      ...wantedOf(wanted, wanted.hire),
    }),
  )
  const isDone = decision.isPending || decision.isSuccess
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col gap-8">
      <PageHeader
        title={`Allow ${clientName}?`}
        hint={`${isVerifiedHost ? `It is published at ${clientHost}.` : 'It gave itself this name, and nobody has checked it.'}${needsTrust ? ' Allow it only if you have just begun this yourself, in an app that you trust.' : ''}`}
      />
      <Card>
        <form onSubmit={allow} className="flex flex-col gap-6" noValidate>
          <dl className="grid grid-cols-2 gap-4">
            {isVerifiedHost && (
              <Fact label="Published at">
                <code className="font-mono break-all">{clientHost}</code>
              </Fact>
            )}
            <Fact label="Returns to">
              <code className="font-mono break-all">{redirectHost}</code>
            </Fact>
            <Fact label="Acts for">
              <code className="font-mono">{walletAddress && shortAddress(walletAddress)}</code>
            </Fact>
          </dl>
          <fieldset className="flex flex-col">
            <legend className="text-14 font-medium">It may</legend>
            {scopes.map((scope) => (
              <Checkbox key={scope} {...scopeWords[scope]} {...form.register(scope)} />
            ))}
          </fieldset>
          <FormProvider {...form}>
            <CredentialFields maySpend={chosen.includes('hire')} terms={grantTerms} />
          </FormProvider>
          {connections > 0 && (
            <Checkbox
              label="Replace its earlier connection"
              hint="It is connected already. With both, it may spend both budgets."
              {...form.register('replaces')}
            />
          )}
          {decision.isError && <ErrorState error={decision.error} />}
          <div className="flex flex-wrap gap-3">
            <Button look="primary" type="submit" isBusy={isDone} isDisabled={chosen.length === 0}>
              Allow
            </Button>
            <Button isDisabled={isDone} onClick={() => decision.mutate({ decision: 'DENY' })}>
              Deny
            </Button>
          </div>
          <p className="text-14 text-ink-muted">
            You can disconnect it at any time, under API keys. It never gets your wallet’s key.
          </p>
        </form>
      </Card>
    </div>
  )
}
