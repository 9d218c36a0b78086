/** Turns texts into vectors: the smaller the angle between two of them, the closer the texts are in meaning. */
export interface EmbeddingsPort {
  /** Vectors of different models cannot be compared. */
  readonly model: string
  /** A vector of length 1 for each text, all with as many numbers. Throws EmbeddingsFailed, and nothing else. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
}

export class EmbeddingsFailed extends Error {
  override readonly name = 'EmbeddingsFailed'
  /** The service works and rejects these texts: others may pass. */
  readonly isOfTexts: boolean

  constructor(problem: string, { cause, isOfTexts = false }: { cause?: unknown; isOfTexts?: boolean } = {}) {
    super(`Embeddings: ${problem}`, { cause })
    this.isOfTexts = isOfTexts
  }
}

/** More than the models that are around have. */
export const MAX_DIMENSIONS = 4_096
