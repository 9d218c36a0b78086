import { MICRO_PER_USDC } from '@agent-marketplace/contract'
import type { Exclusion } from '@agent-marketplace/contract/rating'

/**
 * Who is connected with whom, by how money moved. Pure: the service feeds it from its books, the simulated market from
 * its own. Parties are named by their owner's id where the service knows the owner of a wallet, else by the wallet.
 */

/** All money that went from one party to another. */
export interface Flow {
  from: string
  to: string
  amountMicro: bigint
  /** Paid for work. It shows where money went, but connects nobody: buyers who hired the same person are strangers. */
  isPay: boolean
}

export interface Buyer {
  /** All names that this buyer paid under: the owner, and the wallet where it is another's. */
  parties: readonly string[]
  /** What this buyer has paid to this seller in all. */
  paidMicro: bigint
}

export interface Neighbourhood {
  seller: string
  buyers: ReadonlyMap<string, Buyer>
  /** Without what customers paid to the seller's agents: that is what is being judged. */
  flows: readonly Flow[]
  /** Exchanges, bridges and faucets: money that comes from them says nothing. */
  isPublic: (party: string) => boolean
}

export interface Connections {
  /** By buyer; those that are missing are independent. */
  exclusions: Map<string, Exclusion>
  /** By buyer: buyers with the same name belong together. */
  clusters: Map<string, string>
}

/**
 * Flows below this share of what the buyer paid connect nobody: dust that a rival sends would. An owner who gets back less
 * than this has really paid the rest.
 */
export const MATERIAL_PERCENT = 20n

/**
 * A party is public when buyers whom it funded paid so many sellers, each of them at least so much in all. Its money must
 * cover this share of what such a buyer paid: a speck of dust sent to a regular customer proves nothing.
 */
export const PUBLIC_FROM_SELLERS = 10
export const PUBLIC_PAID_MICRO = 5n * MICRO_PER_USDC
export const PUBLIC_COVERS_PERCENT = 50n

type Edges = Map<string, Map<string, bigint>>

export function findConnections({ seller, buyers, flows, isPublic }: Neighbourhood): Connections {
  const outgoing: Edges = new Map()
  const incoming: Edges = new Map()
  const gifts: Edges = new Map()
  for (const { from, to, amountMicro, isPay } of flows) {
    if (from === to) continue
    add(outgoing, from, to, amountMicro)
    add(incoming, to, from, amountMicro)
    if (!isPay) add(gifts, to, from, amountMicro)
  }
  const amountOf = (from: string, to: string): bigint => outgoing.get(from)?.get(to) ?? 0n
  /** The most that can have come from one party to another over at most two parties between them. */
  const reach = (from: string, to: string, enoughMicro: bigint): boolean => {
    if (amountOf(from, to) >= enoughMicro) return true
    const lasts = [...(incoming.get(to) ?? [])].filter(
      ([last, amount]) => amount >= enoughMicro && last !== from && !isPublic(last),
    )
    return lasts.some(
      ([last]) =>
        amountOf(from, last) >= enoughMicro ||
        [...(incoming.get(last) ?? [])].some(
          ([middle, amount]) =>
            amount >= enoughMicro &&
            middle !== to &&
            !isPublic(middle) &&
            amountOf(from, middle) >= enoughMicro,
        ),
    )
  }
  const sellersFunders = [...(gifts.get(seller) ?? [])].filter(([funder]) => !isPublic(funder))

  const exclusionOf = (party: string, enoughMicro: bigint): Exclusion | undefined => {
    if (party === seller) return 'OWN_AGENT'
    if (reach(seller, party, enoughMicro)) return 'SELLER_FUNDED_BUYER'
    if (amountOf(party, seller) >= enoughMicro) return 'BUYER_FUNDED_SELLER'
    const shares = sellersFunders.some(
      ([funder, amount]) => funder !== party && amount >= enoughMicro && reach(funder, party, enoughMicro),
    )
    return shares ? 'SHARED_FUNDER' : undefined
  }

  const exclusions = new Map<string, Exclusion>()
  const together = createGroups(buyers.keys())
  const buyersOf = new Map<string, string>()
  for (const [buyer, { parties }] of buyers) for (const party of parties) buyersOf.set(party, buyer)
  const firstBuyerOf = new Map<string, string>()
  for (const [buyer, { parties, paidMicro }] of buyers) {
    const enoughMicro = materialOf(paidMicro)
    for (const party of parties) {
      const exclusion = exclusionOf(party, enoughMicro)
      if (exclusion !== undefined && !exclusions.has(buyer)) exclusions.set(buyer, exclusion)
      for (const [funder, amount] of gifts.get(party) ?? []) {
        if (amount < enoughMicro || funder === seller || isPublic(funder)) continue
        const other = buyersOf.get(funder) ?? firstBuyerOf.get(funder)
        if (other === undefined) firstBuyerOf.set(funder, buyer)
        else together.join(buyer, other)
      }
    }
  }
  return { exclusions, clusters: together.names() }
}

function materialOf(paidMicro: bigint): bigint {
  const shareMicro = (paidMicro * MATERIAL_PERCENT) / 100n
  return shareMicro > 1n ? shareMicro : 1n
}

function add(edges: Edges, one: string, other: string, amountMicro: bigint): void {
  const row = edges.get(one) ?? new Map<string, bigint>()
  row.set(other, (row.get(other) ?? 0n) + amountMicro)
  edges.set(one, row)
}

/** Groups that can only grow together; each is named by its first member in the order of names. */
function createGroups(members: Iterable<string>) {
  const parent = new Map([...members].map((member) => [member, member]))
  const rootOf = (member: string): string => {
    const above = parent.get(member) ?? member
    return above === member ? member : rootOf(above)
  }
  return {
    join(one: string, other: string): void {
      const [first, second] = [rootOf(one), rootOf(other)].toSorted()
      if (first !== undefined && second !== undefined && first !== second) parent.set(second, first)
    },
    names: (): Map<string, string> => new Map([...parent.keys()].map((member) => [member, rootOf(member)])),
  }
}
