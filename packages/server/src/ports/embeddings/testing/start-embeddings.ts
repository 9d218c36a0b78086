import { type Reply, respondWith, startReceiver } from '../../../testing/processes/start-receiver.ts'

/** Words that mean the same. Each line is one dimension of the vectors. */
const concepts = [
  ['edit', 'edits', 'editing', 'proofread', 'polish', 'typos'],
  ['translate', 'translates', 'translation', 'localise', 'german'],
  ['audit', 'audits', 'review', 'vulnerabilities'],
]

/** Texts that hold this word are rejected. */
export const REJECTED_WORD = 'unspeakable'

/** How often each concept occurs; the last number is for all that is none. */
function vectorOf(text: string): number[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const counts = concepts.map((concept) => words.filter((word) => concept.includes(word)).length)
  return [...counts, counts.every((count) => count === 0) ? 1 : 0]
}

/** As OpenAI responds, but with the vectors in the opposite order, which `index` allows. */
const embed =
  (input: readonly string[]): Reply =>
  (request, response) => {
    if (input.some((text) => text.includes(REJECTED_WORD)))
      return respondWith(400, '{"error":{}}')(request, response)
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
    respondWith(200, JSON.stringify({ object: 'list', data: data.toReversed() }))(request, response)
  }

/** An embeddings service on this machine, which knows a few words. */
export async function startEmbeddings() {
  const receiver = await startReceiver()
  const { received } = receiver
  const bodyOf = ({ body }: { body: string }): { model: string; input: string[] } => JSON.parse(body)
  const work = () =>
    receiver.respondWith((request, response) => {
      const last = received.at(-1)
      embed(last ? bodyOf(last).input : [])(request, response)
    })
  work()
  return {
    ...receiver,
    url: `http://127.0.0.1:${receiver.port}/v1/`,
    /** After a test let it respond otherwise. */
    work,
    requests: () => received.map((message) => ({ ...message, ...bodyOf(message) })),
  }
}
