/**
 * The same bytes, ended with an error when none come for too long. A connection that broke without a word would
 * otherwise look like a service that has nothing to say.
 */
export function untilSilent(
  bytes: ReadableStream<Uint8Array>,
  silenceMs: number,
): ReadableStream<Uint8Array> {
  const reader = bytes.getReader()
  let timer: ReturnType<typeof setTimeout>
  return new ReadableStream({
    async pull(controller) {
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`the stream was silent for ${silenceMs} ms`)), silenceMs)
      })
      try {
        const { done, value } = await Promise.race([reader.read(), silence])
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(error)
        await reader.cancel(error).catch(() => {})
      } finally {
        clearTimeout(timer)
      }
    },
    cancel(reason) {
      clearTimeout(timer)
      return reader.cancel(reason)
    },
  })
}
