import {
  type Abi,
  type Hex,
  type Log,
  type ParseEventLogsReturnType,
  parseEventLogs,
  toEventSelector,
} from 'viem'

/**
 * Decodes the events of one interface among logs, in their order, and passes over all others. The signatures are hashed
 * once: viem hashes every one of them for every look, which costs several times the decoding itself.
 */
export const createEventParser = <const abi extends Abi>(
  abi: abi,
): ((logs: Log[]) => ParseEventLogsReturnType<abi[number][], undefined, true>) => {
  const topics = new Map<abi[number], Hex>(
    abi.flatMap((item) => (item.type === 'event' ? [[item, toEventSelector(item)]] : [])),
  )
  return (logs) => {
    const seen = new Set(logs.map((log) => log.topics[0]))
    const events = abi.filter((item): item is abi[number] => seen.has(topics.get(item)))
    return events.length === 0 ? [] : parseEventLogs({ abi: events, logs })
  }
}
