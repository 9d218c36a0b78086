import { createRequire } from 'node:module'

export type NativeCurve = Pick<typeof import('secp256k1'), 'ecdsaRecover' | 'ecdsaSign' | 'publicKeyCreate'>

// The package's main entry falls back to a JavaScript curve that is no faster than viem's, so the
// native binding is requested by name: either it loads, or viem does the work.
const load = (): NativeCurve | undefined => {
  try {
    return createRequire(import.meta.url)('secp256k1/bindings.js')
  } catch {
    return undefined
  }
}

/** libsecp256k1, or undefined on a platform without a prebuilt binary. */
export const nativeCurve: NativeCurve | undefined = load()
