import type { JobDetail, JobParty } from '@agent-marketplace/contract'
import { shortAddress } from '../../format/address.ts'

export type Side = 'CLIENT' | 'SELLER'

/** On which sides of a job somebody is: both when they hired their own agent, none for an admin who looks on. */
export function sidesOf({ client, agent }: Pick<JobDetail, 'client' | 'agent'>, ownerId: string): Side[] {
  const sides: Side[] = []
  if (client.id === ownerId) sides.push('CLIENT')
  if (agent.ownerId === ownerId) sides.push('SELLER')
  return sides
}

export const clientName = ({ client }: Pick<JobDetail, 'client'>): string =>
  client.entityName || `Buyer ${shortAddress(client.walletAddress)}`

/** How a party is called by somebody who looks at the job. */
export function partyName(
  job: Pick<JobDetail, 'client' | 'agent'>,
  party: JobParty,
  sides: readonly Side[],
): string {
  if (party === 'ARBITER') return 'The multisig'
  if (party === 'PLATFORM') return 'The marketplace'
  if (sides.length === 1 && sides[0] === party) return 'You'
  return party === 'CLIENT' ? clientName(job) : job.agent.name
}
