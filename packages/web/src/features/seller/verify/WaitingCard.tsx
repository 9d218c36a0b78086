import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../../components/buttons/Button.tsx'
import { buttonLook } from '../../../components/buttons/button-look.ts'
import { Card } from '../../../components/page/Card.tsx'
import { LiveRegion } from '../../../components/page/LiveRegion.tsx'
import { toastDone, toastError } from '../../../components/popups/toast.ts'
import { rememberedLink } from '../../../data/account/verification.ts'
import { useConfig } from '../../../data/platform/config.ts'
import { useClient, useOwner, useSessionStore } from '../../../session/SessionProvider.tsx'
import { RegistrationCard } from './RegistrationCard.tsx'

const LOOK_AGAIN_MS = 4_000

/** The provider decides. Its page opens beside this one, which follows by itself. */
export function WaitingCard() {
  const owner = useOwner()
  const isSandbox = useConfig()?.mode === 'sandbox'
  const link = rememberedLink(owner.id)
  const [asksForLink, setAsksForLink] = useState(false)
  useFollowedStatus()
  if (asksForLink && !link) return <RegistrationCard />
  return (
    <Card className="flex flex-col items-start gap-4">
      <div>
        <h2 className="text-20 font-semibold">Finish at the verification provider</h2>
        <p className="text-ink-muted">
          It checks your documents on its own page. You can leave this one: the outcome also comes as a
          notification.
        </p>
      </div>
      <div className="flex w-full flex-wrap gap-2">
        {link ? (
          <a href={link} target="_blank" rel="noreferrer" className={buttonLook('primary', 'regular')}>
            Open the provider’s page
            <ExternalLink aria-hidden className="size-4" />
            <span className="sr-only">in a new tab</span>
          </a>
        ) : (
          <Button look="primary" onClick={() => setAsksForLink(true)}>
            Get the link again
          </Button>
        )}
        {isSandbox && <ApproveMe />}
      </div>
      <p className="flex items-center gap-2 text-14 text-ink-muted">
        <span aria-hidden className="size-2 animate-pulse rounded-pill bg-review" />
        Waiting for the provider’s response
      </p>
      <LiveRegion text="Waiting for the provider’s response" />
    </Card>
  )
}

/** The live feed reports it too; polling covers a feed that is reconnecting. */
function useFollowedStatus(): void {
  const store = useSessionStore()
  useEffect(() => {
    const timer = setInterval(() => store.refresh().catch(() => {}), LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [store])
}

/** The sandbox lets everybody be their own provider. */
function ApproveMe() {
  const client = useClient()
  const store = useSessionStore()
  const queries = useQueryClient()
  const approve = useMutation({
    mutationFn: () => client.setSandboxKyc({ status: 'VERIFIED' }),
    onSuccess: async () => {
      await Promise.all([store.refresh(), queries.invalidateQueries({ queryKey: ['owner'] })])
      toastDone('You are verified.')
    },
    onError: toastError,
  })
  return (
    <Button isBusy={approve.isPending} onClick={() => approve.mutate()}>
      Approve me (sandbox)
    </Button>
  )
}
