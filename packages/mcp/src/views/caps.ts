import { type Budget, nullableString, oneOf } from '@agent-marketplace/contract'
import { type Static, Type } from 'typebox'
import { usdcText } from './amounts.ts'

const left = (when: string) => nullableString({ description: `What is left ${when}; null: no cap.` })

export const CapsView = Type.Object({
  of: oneOf(['credential', 'local wallet'], { description: 'What the caps hold for.' }),
  perJobUsdc: nullableString({ description: 'The most that one job may cost; null: no cap.' }),
  leftOfDayUsdc: left('of this day'),
  leftOfMonthUsdc: left('of this month'),
  leftInAllUsdc: left('in all'),
})
export type CapsView = Static<typeof CapsView>

export const Caps = Type.Array(CapsView, {
  description: 'What the credential and the local wallet in use may still spend. Empty: nothing is capped.',
})

const orNull = (micro: string | null | undefined): string | null =>
  typeof micro === 'string' ? usdcText(micro) : null

/** Undefined where the credential has no caps. */
export function credentialCaps({ caps, spending: { day, month, total } }: Budget): CapsView | undefined {
  if (Object.keys(caps).length === 0) return undefined
  return {
    of: 'credential',
    perJobUsdc: orNull(caps.perJob),
    leftOfDayUsdc: orNull(day.left),
    leftOfMonthUsdc: orNull(month.left),
    leftInAllUsdc: orNull(total.left),
  }
}

/** The same in a sentence for each; nothing where nothing is capped. */
export function capsWords(caps: readonly CapsView[]): string {
  return caps
    .map(({ of, perJobUsdc, leftOfDayUsdc, leftOfMonthUsdc, leftInAllUsdc }) => {
      const parts = [
        perJobUsdc !== null && `${perJobUsdc} USDC on one job`,
        leftOfDayUsdc !== null && `${leftOfDayUsdc} more this day`,
        leftOfMonthUsdc !== null && `${leftOfMonthUsdc} more this month`,
        leftInAllUsdc !== null && `${leftInAllUsdc} more in all`,
      ].filter((part) => part !== false)
      return ` The ${of} may spend ${parts.join(', ')}.`
    })
    .join('')
}
