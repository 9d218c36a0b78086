import { readAtMost } from '../storage/response-stream.ts'
import { EmbeddingsFailed, type EmbeddingsPort, MAX_DIMENSIONS } from './port.ts'

export interface HttpEmbeddingsOptions {
  /** What `/embeddings` is below, such as `https://api.openai.com/v1`. */
  url: string
  model: string
  apiKey: string | undefined
}

/** Numbers in JSON take some 20 characters each. */
const MAX_BYTES_PER_TEXT = MAX_DIMENSIONS * 32
const OTHER_BYTES = 64 * 1024
/** Statuses for texts that are too long, or otherwise not to be had. */
const textStatuses: ReadonlySet<number> = new Set([400, 413, 422])

/** Any service that speaks OpenAI's `POST /embeddings`. Nothing of a response is believed before it is checked. */
export function createHttpEmbeddings({ url, model, apiKey }: HttpEmbeddingsOptions): EmbeddingsPort {
  const endpoint = endpointOf(url)
  return {
    model,
    async embed(texts, signal) {
      const response = await reaching(() =>
        fetch(endpoint, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          },
          body: JSON.stringify({ model, input: texts }),
          // A redirect would carry the texts and the key to wherever it points.
          redirect: 'error',
          signal,
        }),
      )
      const body = await reaching(() => readAtMost(response, OTHER_BYTES + texts.length * MAX_BYTES_PER_TEXT))
      if (!response.ok)
        throw new EmbeddingsFailed(`status ${response.status}`, {
          isOfTexts: textStatuses.has(response.status),
        })
      if (body === 'too large') throw new EmbeddingsFailed('a response without end')
      return vectorsIn(parseJson(Buffer.from(body).toString()), texts.length)
    },
  }
}

/** Errors of fetch quote the address, so it must hold no password. */
function endpointOf(given: string): URL {
  const url = new URL(given)
  if (url.username !== '' || url.password !== '')
    throw new TypeError('Give the key of the embeddings service apart from its address')
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`
  return url
}

async function reaching<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    throw new EmbeddingsFailed('the service did not get through', { cause })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new EmbeddingsFailed('a response that is no JSON')
  }
}

/** `{ data: [{ index, embedding: number[] }] }`, in any order. */
function vectorsIn(body: unknown, count: number): Float32Array[] {
  const data = fieldOf(body, 'data')
  if (!Array.isArray(data) || data.length !== count)
    throw new EmbeddingsFailed('not as many vectors as there are texts')
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count })
  for (const [place, entry] of data.entries()) {
    const index = fieldOf(entry, 'index') ?? place
    if (typeof index !== 'number' || !(index in vectors) || vectors[index] !== undefined)
      throw new EmbeddingsFailed('vectors that belong to no text')
    vectors[index] = unitVectorOf(fieldOf(entry, 'embedding'))
  }
  const found = vectors.filter((vector) => vector !== undefined)
  if (found.some(({ length }) => length !== found[0]?.length))
    throw new EmbeddingsFailed('vectors of different dimensions')
  return found
}

function unitVectorOf(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > MAX_DIMENSIONS)
    throw new EmbeddingsFailed('a vector of no possible dimension')
  if (!numbers.every((number) => typeof number === 'number'))
    throw new EmbeddingsFailed('a vector of other things than numbers')
  const length = Math.hypot(...numbers)
  if (!Number.isFinite(length) || length === 0) throw new EmbeddingsFailed('a vector without a direction')
  return Float32Array.from(numbers, (number) => number / length)
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined
