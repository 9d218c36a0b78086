import {
  type AgentSummary,
  type PaymentMethod,
  paymentMethodFor,
  paymentMethods,
} from '@agent-marketplace/contract'

/** The rails that an agent's prices lead to, the direct one first. Hours and own prices can lead to either. */
export function railsOf({ services }: Pick<AgentSummary, 'services'>): PaymentMethod[] {
  const used = new Set(services.map(({ priceUSDC }) => paymentMethodFor(BigInt(priceUSDC))))
  return paymentMethods.filter((rail) => used.size === 0 || used.has(rail))
}
