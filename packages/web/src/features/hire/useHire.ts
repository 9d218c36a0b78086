import { type AgentDetail, railFor } from '@agent-marketplace/contract'
import { type BodyOf, isMarketplaceError, type MarketplaceClient, randomKey } from '@agent-marketplace/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { toastDone, toastError, toastPlain } from '../../components/popups/toast.ts'
import { usdcText } from '../../format/money.ts'
import { useClient, useOwner, useSessionStore } from '../../session/SessionProvider.tsx'
import { isRejectedByUser } from '../../session/wallet-error.ts'
import { useTrackTx } from '../../transactions/TransactionProvider.tsx'
import { useSignedStory } from '../../transactions/useSignedStory.ts'
import { dropOrder } from './order/order-storage.ts'

interface Hired {
  jobId: string
  /** Why the job is there and not paid. */
  problem?: unknown
}

type Body = BodyOf<'quoteJob'>

/** Makes the job and pays for it; a request is only made, and paid once the seller has accepted it. As soon as there is a job its own page takes over, paid or not. */
export function useHire(
  agent: Pick<AgentDetail, 'name' | 'walletAddress'>,
  body: Body,
  { isRequest }: { isRequest: boolean },
) {
  const client = useClient()
  const owner = useOwner()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const payDirectly = usePayDirectly()
  const payIntoEscrow = usePayIntoEscrow()
  const { onSigned } = useSessionStore()
  const [isSigned, setIsSigned] = useState(false)
  // Asking again after a failure goes on with the same job.
  const [orderKey] = useState(randomKey)
  const priceMicro = BigInt(body.agreedPrice)
  const price = `${usdcText(priceMicro)} USDC`
  const isEscrow = railFor(priceMicro, body).holdsMoney

  const hire = useMutation({
    mutationFn: async (): Promise<Hired> => {
      const stop = onSigned(() => setIsSigned(true))
      try {
        if (isRequest) return { jobId: (await client.createJob(body, { idempotencyKey: orderKey })).job.id }
        return isEscrow
          ? await payIntoEscrow(client, body, `Pay ${price} into escrow`)
          : await payDirectly(client, body, `Pay ${price} to ${agent.name}`, orderKey)
      } finally {
        stop()
        setIsSigned(false)
      }
    },
    onSuccess: ({ jobId, problem }) => {
      for (const key of ['jobs', 'owner', 'balance']) queries.invalidateQueries({ queryKey: [key] })
      dropOrder(owner.id, agent.walletAddress)
      if (isRequest) toastDone(`Order sent to the seller of ${agent.name}.`)
      else if (problem === undefined) toastDone(`You hired ${agent.name} for ${price}.`)
      else if (isRejectedByUser(problem)) toastPlain('You did not sign. The job waits for your payment.')
      else toastError(problem)
      navigate({ to: '/jobs/$jobId', params: { jobId }, replace: true })
    },
  })
  return { hire, isSigned, price }
}

/** The job comes first and its payment after it, so a refused signature leaves a job that can be paid later. */
function usePayDirectly() {
  const withSignedStory = useSignedStory()
  return async (client: MarketplaceClient, body: Body, label: string, key: string): Promise<Hired> => {
    const { job } = await client.createJob(body, { idempotencyKey: key })
    const jobId = job.id
    try {
      await withSignedStory(
        () => ({ kind: 'payment', label, jobId, seenEvents: 0 }),
        () => client.hire(body, { idempotencyKey: key }),
      )
      return { jobId }
    } catch (problem) {
      return { jobId, problem }
    }
  }
}

/** Job and deposit come in one call: a refused signature leaves nothing, and only the response names the job. */
function usePayIntoEscrow() {
  const { track } = useTrackTx()
  return async (client: MarketplaceClient, body: Body, label: string): Promise<Hired> => {
    try {
      const { id } = await client.hire(body)
      track({ kind: 'payment', label, jobId: id, seenEvents: 0 })
      return { jobId: id }
    } catch (problem) {
      const jobId = isMarketplaceError(problem) && Object(problem.details).jobId
      if (typeof jobId === 'string') return { jobId, problem }
      throw problem
    }
  }
}
