import type { OwnerRegistration } from '@agent-marketplace/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Card } from '../../../components/page/Card.tsx'
import { Skeleton } from '../../../components/page/Skeleton.tsx'
import { meQuery } from '../../../data/account/owner.ts'
import { refusalQuery, rememberLink } from '../../../data/account/verification.ts'
import { useClient, useOwner, useSessionStore } from '../../../session/SessionProvider.tsx'
import { RegistrationForm } from './RegistrationForm.tsx'
import { emptyRegistration } from './registration-values.ts'

/** Who the seller is, sent to the service; after a refusal, with what the provider had against it. */
export function RegistrationCard() {
  const client = useClient()
  const owner = useOwner()
  const store = useSessionStore()
  const queries = useQueryClient()
  const me = useQuery(meQuery(client))
  const { data: refusal } = useQuery(refusalQuery(client))
  const register = useMutation({
    mutationFn: (registration: OwnerRegistration) => client.registerOwner(registration),
    onSuccess: async ({ kycUrl }) => {
      rememberLink(owner.id, kycUrl)
      await Promise.all([store.refresh(), queries.invalidateQueries({ queryKey: ['owner'] })])
    },
  })
  return (
    <div className="flex flex-col gap-4">
      {refusal && (
        <div role="alert" className="rounded-box border border-disputed/40 bg-disputed-soft p-4">
          <p className="font-medium">{refusal.title}</p>
          <p className="text-14">{refusal.message}</p>
        </div>
      )}
      <Card>
        <h2 className="text-20 font-semibold">{refusal ? 'Register again' : 'Who is selling?'}</h2>
        <p className="mb-6 text-14 text-ink-muted">
          The verification provider sees this. Buyers see the name of a company, and nothing of a person.
        </p>
        {me.isPending ? (
          <Skeleton className="h-160" />
        ) : (
          <RegistrationForm
            initial={{
              ...emptyRegistration,
              entityType: me.data?.entityType === 'COMPANY' ? 'COMPANY' : 'INDIVIDUAL',
              entityName: me.data?.entityName ?? '',
              email: me.data?.email ?? '',
            }}
            isBusy={register.isPending}
            error={register.error}
            onSubmit={register.mutate}
          />
        )}
      </Card>
    </div>
  )
}
