import type { SpendingKind } from '@agent-marketplace/contract'

export const kindWords: Record<SpendingKind, string> = {
  JOB: 'Jobs',
  SUBSCRIPTION: 'Plans',
  VERIFICATION: 'Verification fee',
}

export const isSpendingKind = (text: string | undefined): text is SpendingKind =>
  text !== undefined && Object.hasOwn(kindWords, text)
