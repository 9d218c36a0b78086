/** Networks have names of their own in version 1 of x402, and CAIP-2 ids in version 2. */
const idsByName: ReadonlyMap<string, string> = new Map([
  ['base', 'eip155:8453'],
  ['base-sepolia', 'eip155:84532'],
])

/** The id, by whichever of the two it is called. */
export const networkOf = (nameOrId: string): string => idsByName.get(nameOrId) ?? nameOrId

/** Undefined where version 1 has no name for it. */
export const networkNameOf = (id: string): string | undefined =>
  [...idsByName].find(([, known]) => known === id)?.[0]
