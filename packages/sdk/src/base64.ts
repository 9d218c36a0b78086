/** Base64 with what browsers and Node have in common. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

export const encodeBase64Json = (value: unknown): string =>
  encodeBase64(new TextEncoder().encode(JSON.stringify(value)))

export function decodeBase64Json(text: string): unknown {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}
