/** One server-sent event. */
export interface ServerEvent {
  id: string | undefined
  type: string
  data: string
}

/** A notification is a thousandth of it. */
const MAX_EVENT_CHARACTERS = 1024 * 1024

/**
 * The events of a stream, whatever pieces its bytes arrive in. Leaving the loop ends the stream. A last event without
 * its blank line is not whole, and is left out.
 */
export async function* parseEvents(bytes: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  const reader = bytes.getReader()
  try {
    // Most clients never open a stream, and a page should not load the parser before it has to.
    const { createParser } = await import('eventsource-parser')
    const decoder = new TextDecoder()
    let parsed: ServerEvent[] = []
    let isEndless = false
    const parser = createParser({
      onEvent: ({ id, event, data }) => void parsed.push({ id, type: event ?? 'message', data }),
      onError(error) {
        if (error.type === 'max-buffer-size-exceeded') isEndless = true
      },
      maxBufferSize: MAX_EVENT_CHARACTERS,
    })
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* parsed
      parsed = []
      if (isEndless) throw new Error('an event of the stream has no end')
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
