import { MOST_CHOSEN } from './chosen-agents.ts'

/** The wallets that an address names: each once, as many as there is room for, and nothing that is no wallet. */
export function comparedWallets(text: string | undefined): string[] {
  const wallets = (text ?? '').split(',').map((wallet) => wallet.trim())
  const valid = wallets.filter((wallet) => /^0x[0-9a-f]{40}$/i.test(wallet))
  const lower = valid.map((wallet) => wallet.toLowerCase())
  return valid.filter((_, index) => lower.indexOf(lower[index] ?? '') === index).slice(0, MOST_CHOSEN)
}
