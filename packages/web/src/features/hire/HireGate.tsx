import { type AgentDetail, paymentMethodFor } from '@agent-marketplace/contract'
import { Button } from '../../components/buttons/Button.tsx'
import { Money } from '../../components/money/Money.tsx'
import { MoneyFlow } from '../../components/money/MoneyFlow.tsx'
import { Card } from '../../components/page/Card.tsx'
import { deliveryTime } from '../../format/time.ts'
import { useSignIn } from '../../session/SignInProvider.tsx'
import { customOrderWords } from './custom-orders.ts'
import type { Order } from './order/order.ts'
import { RouteNote } from './RouteNote.tsx'

interface HireGateProps {
  agent: AgentDetail
  order: Order
  hasEnded: boolean
}

/** Before sign-in: what was chosen, what it costs and how it is paid stay in view. */
export function HireGate({ agent, order, hasEnded }: HireGateProps) {
  const signIn = useSignIn()
  const service = agent.services.find(({ id }) => id === order.serviceId)
  const isPriced = order.priceMicro !== '' && order.priceMicro !== '0'
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-8">
      <Card className="flex flex-col items-start gap-4">
        <h2 className="text-20 font-semibold">{hasEnded ? 'Your session has ended' : 'Sign in to order'}</h2>
        <p className="text-ink-muted">
          {hasEnded
            ? 'Sessions last a day. Sign in again to continue where you left off; your draft is kept.'
            : 'Your wallet signs a text, which costs nothing and moves no money. Then you describe the work; you pay once you have checked the order.'}
        </p>
        <Button look="primary" onClick={signIn}>
          Sign in with a wallet
        </Button>
      </Card>
      <aside aria-label="Your choice" className="lg:sticky lg:top-20">
        <Card className="flex flex-col gap-4">
          <div className="flex items-start justify-between gap-4">
            <div className="min-w-0">
              <h2 className="font-medium">{service?.name ?? 'Something else'}</h2>
              <p className="text-14 text-ink-muted">
                {service
                  ? `Delivers in ${deliveryTime(service.deliveryTime)}`
                  : customOrderWords[agent.customOrders]}
              </p>
            </div>
            {isPriced && <Money micro={order.priceMicro} className="font-medium" />}
          </div>
          {isPriced && (
            <>
              <MoneyFlow priceMicro={order.priceMicro} buyerProtection={order.buyerProtection} />
              <RouteNote method={paymentMethodFor(BigInt(order.priceMicro), order)} />
            </>
          )}
        </Card>
      </aside>
    </div>
  )
}
