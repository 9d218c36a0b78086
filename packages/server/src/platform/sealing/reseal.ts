import type { Sealer } from './sealer.ts'

const batchSize = 100

export interface SealedRow {
  id: string
  owner: string
  sealed: string
}

/** A column of seals. */
export interface SealedRows {
  /** Rows that another key than this one sealed, by id. */
  listUnderOtherKeys(keyId: string, page: { after: string; count: number }): Promise<SealedRow[]>
  /** False when the seal is no longer the one that was read. */
  replace(row: SealedRow, sealed: string): Promise<boolean>
}

export interface Resealed {
  resealed: number
  /** None of the keys opens them. They stay as they are. */
  unreadable: number
}

/**
 * Seals everything again that an older key sealed; afterwards that key can be thrown away. It may be stopped, repeated
 * and run next to a working service: each seal is swapped only if it is still the one that was read. It goes through the
 * rows until it finds nothing to do, because a process with the older key may write some meanwhile.
 */
export async function reseal(sealer: Sealer, rows: SealedRows): Promise<Resealed> {
  let resealed = 0
  for (;;) {
    const { swapped, missed, unreadable } = await resealOnce(sealer, rows)
    resealed += swapped
    if (swapped + missed === 0) return { resealed, unreadable }
  }
}

/** `missed`: changed by somebody else between the look and the swap. */
async function resealOnce(sealer: Sealer, rows: SealedRows) {
  const done = { swapped: 0, missed: 0, unreadable: 0 }
  let after = ''
  for (;;) {
    const batch = await rows.listUnderOtherKeys(sealer.currentKeyId, { after, count: batchSize })
    const last = batch.at(-1)
    if (last === undefined) return done
    for (const row of batch) {
      const sealed = sealAgain(sealer, row)
      if (sealed === undefined) done.unreadable += 1
      else if (await rows.replace(row, sealed)) done.swapped += 1
      else done.missed += 1
    }
    after = last.id
  }
}

function sealAgain(sealer: Sealer, { sealed, owner }: SealedRow): string | undefined {
  let secret: Buffer
  try {
    secret = sealer.open(sealed, owner)
  } catch {
    return undefined
  }
  const again = sealer.seal(secret, owner)
  secret.fill(0)
  return again
}
