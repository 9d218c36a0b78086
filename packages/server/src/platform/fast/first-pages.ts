import type { Endpoint } from '@agent-marketplace/contract'

/** What leads to a later page, and which value of it to the first. */
const firstPlaces: Readonly<Record<string, string>> = { offset: '0', cursor: '' }

/**
 * The URLs of first pages: with every parameter that an endpoint declares, in any order. One with a parameter that nobody
 * knows is not among them.
 */
export function firstPages(endpoints: readonly Endpoint[]): RegExp {
  return new RegExp(`^(?:${endpoints.map(firstPageOf).join('|')})$`)
}

function firstPageOf({ path, query }: Endpoint): string {
  const parameters = Object.keys(query?.properties ?? {}).map(
    (name) => `${name}=${firstPlaces[name] ?? '[^&]*'}`,
  )
  const parameter = `(?:${parameters.join('|')})`
  return `${path}(?:\\?${parameter}(?:&${parameter})*)?`
}
