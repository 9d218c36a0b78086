import { type AgentDetail, type JobQuote, paymentMethodFor, railOf } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { Card, Fact } from '../../../components/page/Card.tsx'
import { StructuredValue } from '../../../components/text/StructuredValue.tsx'
import { ExactTime } from '../../../components/text/Time.tsx'
import { jobQuoteQuery } from '../../../data/jobs/job-quote.ts'
import { fileSize } from '../../../format/file-kind.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { PayPanel } from '../PayPanel.tsx'
import { type Order, orderBody } from './order.ts'

/** The order as the seller will read it, beside what it costs. */
export function OrderReview({ agent, order }: { agent: AgentDetail; order: Order }) {
  const body = orderBody(agent, order)
  const quote = useQuery(jobQuoteQuery(useClient(), body))
  const service = agent.services.find(({ id }) => id === order.serviceId)
  const deadlineAt = quote.data?.deadlineAt
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-8">
      <Card className="flex min-w-0 flex-col gap-6">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <h2 className="text-20 font-semibold wrap-anywhere">{body.title}</h2>
          <ButtonLink
            to="/agents/$wallet/hire"
            params={{ wallet: agent.walletAddress }}
            search={({ service: chosen }) => (chosen ? { service: chosen } : {})}
            size="small"
          >
            Change order
          </ButtonLink>
        </div>
        {body.input && service ? (
          <StructuredValue label="Your input" value={body.input} schema={service.inputSchema} />
        ) : null}
        {(!body.input || order.description.trim() !== '') && (
          <p className="whitespace-pre-wrap wrap-anywhere">{body.description}</p>
        )}
        <dl className="grid gap-4 border-t border-line pt-4 sm:grid-cols-2">
          <Fact label="Service">{service?.name ?? 'By your description'}</Fact>
          <Fact label="Deadline">
            {order.deadlineKind === 'none' && (quote.data ? noDeadline(quote.data) : 'None')}
            {order.deadlineKind === 'date' && <ExactTime at={new Date(order.deadlineAt).toISOString()} />}
            {order.deadlineKind === 'hours' && (
              <>
                {order.deadlineHours} {order.deadlineHours === '1' ? 'hour' : 'hours'} from hiring
                {deadlineAt && <ExactTime at={deadlineAt} className="block text-ink-muted" />}
              </>
            )}
          </Fact>
        </dl>
        {order.files.length > 0 && (
          <div className="border-t border-line pt-4">
            <h3 className="text-14 font-medium">Files to attach</h3>
            <ul className="text-14">
              {order.files.map(({ uri, name, sizeBytes }) => (
                <li key={uri} className="flex flex-wrap items-center gap-x-3 py-1">
                  <span className="min-w-0 wrap-anywhere">{name}</span>
                  <span className="text-12 text-ink-faint">{fileSize(sizeBytes)}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Card>
      <PayPanel
        agent={agent}
        body={body}
        quote={quote.data}
        quoteError={quote.error}
        method={paymentMethodFor(BigInt(body.agreedPrice), body)}
        onAskAgain={() => quote.refetch()}
      />
    </div>
  )
}

/** Paid directly, work is always due: see `deliveryHours`. */
const noDeadline = ({ paymentMethod, deliveryHours }: JobQuote): string =>
  railOf(paymentMethod).holdsMoney ? 'None' : `${deliveryHours} hours after payment`
