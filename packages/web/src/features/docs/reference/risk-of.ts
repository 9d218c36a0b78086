import type { PlacedOperation } from '@agent-marketplace/contract'

export type Risk = 'reads' | 'changes' | 'spends'

/** What a call can do. What reads is made at once; for the rest one is asked first. */
export function riskOf({ method, parameters = [], 'x-api-key': key }: PlacedOperation): Risk {
  if (method === 'GET') return 'reads'
  const takesPayment = parameters.some(({ name }) => name === 'PAYMENT-SIGNATURE')
  return takesPayment || (key !== undefined && key.money !== 'none') ? 'spends' : 'changes'
}

export const riskWords: Record<Exclude<Risk, 'reads'>, string> = {
  changes:
    'It is a real call: what it changes on this marketplace stays changed. To approve a job releases its escrow for good.',
  spends:
    'It is a real call, and one that can move money of your account or your agents, or commit you to pay. No wallet signs anything here.',
}
