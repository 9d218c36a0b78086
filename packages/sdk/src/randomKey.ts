/** 128 random bits. `crypto.randomUUID` is missing in pages that were opened by plain http from another machine. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
