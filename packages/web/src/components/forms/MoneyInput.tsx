import { type ComponentProps, useState } from 'react'
import { cx } from '../../design/cx.ts'
import { inputUsdc, parseUsdc } from '../../format/money.ts'
import { TextInput } from './inputs.tsx'

interface MoneyInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  /** Micro-units; undefined while what is typed is no amount. */
  valueMicro: bigint | undefined
  onChangeMicro: (valueMicro: bigint | undefined, text: string) => void
}

/** USDC as a person writes it, micro-units as the service takes it. Its own text is kept, so that "1." can be typed on. */
export function MoneyInput({ valueMicro, onChangeMicro, className, onBlur, ...rest }: MoneyInputProps) {
  const [text, setText] = useState(valueMicro === undefined ? '' : inputUsdc(valueMicro))
  const isCurrent = parseUsdc(text) === valueMicro
  // What was changed or cleared from outside replaces what was typed.
  const outside = valueMicro === undefined ? '' : inputUsdc(valueMicro)
  const shown = isCurrent ? text : outside
  return (
    <span className={cx('relative block', className)}>
      <TextInput
        {...rest}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        className="pr-16 text-right font-mono"
        value={shown}
        onChange={({ target }) => {
          setText(target.value)
          onChangeMicro(parseUsdc(target.value), target.value)
        }}
        onBlur={(event) => {
          if (valueMicro !== undefined) setText(inputUsdc(valueMicro))
          onBlur?.(event)
        }}
      />
      <span aria-hidden className="pointer-events-none absolute top-3 right-3 text-14 text-ink-muted">
        USDC
      </span>
    </span>
  )
}
