/** One server-sent event. */
export interface ServerEvent {
  id: string | undefined
  type: string
  data: string
}

/** The events of a stream, whatever pieces its bytes arrive in. Leaving the loop ends the stream. */
export async function* parseEvents(bytes: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  for await (const block of readBlocks(bytes)) {
    const event = parseBlock(block)
    if (event) yield event
  }
}

/** A notification is a thousandth of it. */
const MAX_EVENT_CHARACTERS = 1024 * 1024

const blockEnd = /\r\n\r\n|\n\n|\r\r/

/** What stands between blank lines. A last block without its blank line is not whole, and is left out. */
async function* readBlocks(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = bytes.getReader()
  const decoder = new TextDecoder()
  let waiting = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      waiting += decoder.decode(value, { stream: true })
      const blocks = waiting.split(blockEnd)
      waiting = blocks.pop() ?? ''
      yield* blocks
      if (waiting.length > MAX_EVENT_CHARACTERS) throw new Error('an event of the stream has no end')
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function parseBlock(block: string): ServerEvent | undefined {
  const data: string[] = []
  let type = 'message'
  let id: string | undefined
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === 'data') data.push(value ?? '')
    if (name === 'event') type = value ?? ''
    if (name === 'id') id = value ?? ''
  }
  return data.length === 0 ? undefined : { id, type, data: data.join('\n') }
}
