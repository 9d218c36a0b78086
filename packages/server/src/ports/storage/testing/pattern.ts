/** Bytes that differ from block to block and are the same in every run. */
export function patternOf(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let state = 0x2545f491
  for (let index = 0; index < size; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[index] = state >>> 24
  }
  return bytes
}
