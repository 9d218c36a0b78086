import type { ChainEvent } from '../../ports/chain/port.ts'

/** JSON has no big numbers: they travel as `{ "bigint": "…" }`, and nothing else in an event has that shape. */
export function encodeEvent(event: ChainEvent): string {
  return JSON.stringify(event, (_key, value) => {
    if (typeof value === 'bigint') return { bigint: value.toString() }
    return typeof value === 'string' ? storable(value) : value
  })
}

/** Anybody may have a contract say anything, and the database takes neither of these: one such text would stop every block. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/** Reads back what `encodeEvent` wrote; nobody else writes these rows. */
export function decodeEvent(args: unknown): ChainEvent {
  return revive(args) as ChainEvent
}

function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(revive)
  if ('bigint' in value && typeof value.bigint === 'string') return BigInt(value.bigint)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, revive(part)]))
}

/** What an event is about: a job's key, a permission's hash, an account, an agent or a role. */
export function subjectOf(event: ChainEvent): string | null {
  if ('key' in event) return event.key
  if ('hash' in event) return event.hash
  if ('recipient' in event) return event.recipient.toLowerCase()
  if ('authorizer' in event) return event.authorizer.toLowerCase()
  if ('agentId' in event) return event.agentId.toString()
  if ('role' in event) return event.role
  return null
}
