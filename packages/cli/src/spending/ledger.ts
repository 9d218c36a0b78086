import { randomUUID } from 'node:crypto'
import { CommandError } from '../exit-codes.ts'
import type { Home } from '../home.ts'
import { type Caps, type Left, leftAfter, refusalOf, type SignedPayment } from './caps.ts'

type Line = { id: string; nonce: string; amountMicro: string; atMs: number } | { withdrawn: string }

/**
 * What a wallet has signed by itself. A payment is on the disk before it is judged, and judged before it is signed. Lines have
 * one order for all processes, and each is judged by those before it: so together they never exceed a cap, and none waits
 * for another. Whatever ends a process in between, its payment counts.
 */
export function openLedger(home: Home, address: string, caps: Caps) {
  const file = `spending/${address.toLowerCase()}`

  /** All that count; those before the line with this id, where one is given. */
  function read(untilId?: string): SignedPayment[] {
    const lines = home.readLines<Line>(file)
    const withdrawn = new Set(lines.flatMap((line) => ('withdrawn' in line ? line.withdrawn : [])))
    const payments = lines.flatMap((line) => ('withdrawn' in line || withdrawn.has(line.id) ? [] : line))
    const end = untilId === undefined ? payments.length : payments.findIndex(({ id }) => id === untilId)
    if (end === -1) throw new CommandError('failed', `${file} does not keep what is written to it.`)
    return payments
      .slice(0, end)
      .map(({ nonce, amountMicro, atMs }) => ({ nonce, amountMicro: BigInt(amountMicro), atMs }))
  }

  return {
    left: (nowMs: number): Left => leftAfter(read(), caps, nowMs),

    /** Why it would not be signed now. Nothing is written. */
    refusalOf: (payment: SignedPayment): string | undefined => refusalOf(payment, read(), caps),

    /** Counts it, unless it exceeds a cap: then the reason is returned, and it must not be signed. */
    reserve(payment: SignedPayment): string | undefined {
      const id = randomUUID()
      home.addLine(file, { id, ...payment, amountMicro: String(payment.amountMicro) } satisfies Line)
      const refusal = refusalOf(payment, read(id), caps)
      if (refusal !== undefined) home.addLine(file, { withdrawn: id } satisfies Line)
      return refusal
    },
  }
}

export type Ledger = ReturnType<typeof openLedger>
