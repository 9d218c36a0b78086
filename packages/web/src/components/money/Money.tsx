import { cx } from '../../design/cx.ts'
import { exactUsdc, type Micro, toMicro, usdcText } from '../../format/money.ts'

interface MoneyProps {
  micro: Micro
  /** Without the currency, where a table's header says it. */
  hidesUnit?: boolean
  className?: string
}

/** An amount, exactly; all six decimals on hover. */
export function Money({ micro, hidesUnit = false, className }: MoneyProps) {
  const amountMicro = toMicro(micro)
  const exact = exactUsdc(amountMicro)
  return (
    <span title={`${exact} USDC`} className={cx('font-mono whitespace-nowrap tabular-nums', className)}>
      {usdcText(amountMicro)}
      {hidesUnit ? (
        <span className="sr-only"> USDC</span>
      ) : (
        <span className="text-[0.85em] text-ink-muted"> USDC</span>
      )}
    </span>
  )
}
