import { ChainError } from './errors.ts'

// The order of each list is the order of the contract's enum.
const parties = ['none', 'client', 'seller'] as const
const jobStates = ['none', 'funded', 'submitted', 'disputed', 'closed'] as const
const outcomes = ['none', 'released', 'refunded', 'settled', 'ruled', 'expired'] as const

export type Party = Exclude<(typeof parties)[number], 'none'>
export type JobState = (typeof jobStates)[number]
export type Outcome = (typeof outcomes)[number]

export const partyIndexOf = (party: Party): number => parties.indexOf(party)
export const partyAt = (index: number): Party => nameAt(parties.slice(1) as Party[], index - 1, 'party')
export const jobStateAt = (index: number): JobState => nameAt(jobStates, index, 'job state')
export const outcomeAt = (index: number): Outcome => nameAt(outcomes, index, 'outcome')

const nameAt = <Name>(names: readonly Name[], index: number, what: string): Name => {
  const name = names[index]
  if (name === undefined) throw new ChainError('INVALID_ARGUMENT', `the escrow has no ${what} ${index}`)
  return name
}
