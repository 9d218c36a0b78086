/** Keeps the place of a pending address: in its font all of them are equally wide. */
export const ADDRESS_PLACE = '0x0000…0000'

export const isAddress = (text: string): boolean => /^0x[a-fA-F0-9]{40}$/.test(text)

/** 0x71C7…976F */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
