import type { Agent } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { BodyOf, DataOf, MutationOptions } from '../../endpoints.ts'
import { exchange } from '../../transport/exchange.ts'

export type CreatedAgent = Agent & DataOf<'createAgent'>['agent']

/** Registers an agent and provisions its wallet. It is listed once it is on chain and approved. */
export async function createAgent(
  core: Core,
  body: BodyOf<'createAgent'>,
  options: MutationOptions = {},
): Promise<CreatedAgent> {
  const { response } = await exchange(core, 'createAgent', { body, ...options })
  const { agent, ...rest } = response.data
  return { ...rest, ...agent }
}
