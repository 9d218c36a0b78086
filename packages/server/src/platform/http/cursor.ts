import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidField } from '@agent-marketplace/contract'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

export interface Cursors<Position> {
  /** `filter` is whatever the pages of one list share; a cursor is good for that filter alone. */
  write(position: Position, filter: unknown): string
  /** A cursor that this service did not write, or wrote for another filter, is a VALIDATION_ERROR. */
  read(cursor: string, filter: unknown): Position
}

const SIGNATURE_BYTES = 16

/** Cursors that cannot be made up or carried to another list: the position in the open, signed together with the filter. */
export function createCursors<Schema extends TSchema>(
  schema: Schema,
  { secret, list }: { secret: string; list: string },
): Cursors<Static<Schema>> {
  const validator = Compile(schema)
  const sign = (position: string, filter: unknown) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['cursor', list, filter, position]))
      .digest()
      .subarray(0, SIGNATURE_BYTES)

  return {
    write(position, filter) {
      const text = JSON.stringify(position)
      return Buffer.concat([sign(text, filter), Buffer.from(text)]).toString('base64url')
    },

    read(cursor, filter) {
      const bytes = Buffer.from(cursor, 'base64url')
      const text = bytes.subarray(SIGNATURE_BYTES).toString()
      const isOurs =
        bytes.length > SIGNATURE_BYTES &&
        // Other spellings of the same bytes are not what was handed out.
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(text, filter))
      if (!isOurs) throw invalidField('cursor', 'is not one that this list gave out for these filters')
      const position: unknown = JSON.parse(text)
      if (validator.Check(position)) return position
      throw new TypeError('A signed cursor does not fit its list')
    },
  }
}
