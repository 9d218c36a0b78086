import { useSyncExternalStore } from 'react'

/** Side by side there is room for so many. */
export const MOST_CHOSEN = 4

/** An agent that was chosen for a comparison, as the bar shows it. */
export interface ChosenAgent {
  walletAddress: string
  name: string
  avatarUrl: string | null
}

const KEY = 'marketplace.chosen'
const listeners = new Set<() => void>()
let chosen: readonly ChosenAgent[] | undefined

const isChosenAgent = (value: unknown): value is ChosenAgent => {
  const { walletAddress, name } = Object(value) as Record<string, unknown>
  return typeof walletAddress === 'string' && typeof name === 'string'
}

/** Kept for as long as the tab is open. Storage can hold anything. */
function read(): readonly ChosenAgent[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isChosenAgent).slice(0, MOST_CHOSEN) : []
  } catch {
    return []
  }
}

const current = (): readonly ChosenAgent[] => {
  chosen ??= read()
  return chosen
}

function change(next: readonly ChosenAgent[]): void {
  chosen = next
  sessionStorage.setItem(KEY, JSON.stringify(next))
  for (const listener of listeners) listener()
}

export const useChosenAgents = (): readonly ChosenAgent[] =>
  useSyncExternalStore((onChange) => {
    listeners.add(onChange)
    return () => listeners.delete(onChange)
  }, current)

/** Chooses an agent, or drops it. One more than there is room for changes nothing. */
export function toggleChosen({ walletAddress, name, avatarUrl }: ChosenAgent): void {
  const others = current().filter((other) => other.walletAddress !== walletAddress)
  if (others.length < current().length) change(others)
  else if (others.length < MOST_CHOSEN) change([...others, { walletAddress, name, avatarUrl }])
}

export const clearChosen = (): void => change([])
