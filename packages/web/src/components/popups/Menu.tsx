import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { cx } from '../../design/cx.ts'

interface MenuProps {
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end'
  /** What stands above the entries and cannot be chosen. */
  header?: ReactNode
  defaultOpen?: boolean
}

export function Menu({ trigger, children, align = 'end', header, defaultOpen = false }: MenuProps) {
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={8}>
          <Base.Popup className="popup-motion min-w-56 rounded-box border border-line bg-surface p-1 text-14 text-ink shadow-lift outline-none">
            {header}
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const item =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-[6px] px-3 outline-none data-highlighted:bg-sunken data-disabled:opacity-50'

interface MenuItemProps {
  onChoose: () => void
  icon?: ReactNode
  isDisabled?: boolean
  /** Stays open, for entries that are tried out. */
  keepsOpen?: boolean
  children: ReactNode
}

export function MenuItem({ onChoose, icon, isDisabled = false, keepsOpen = false, children }: MenuItemProps) {
  return (
    <Base.Item onClick={onChoose} disabled={isDisabled} closeOnClick={!keepsOpen} className={item}>
      {icon}
      {children}
    </Base.Item>
  )
}

interface MenuChoiceProps<Value extends string> {
  label: string
  value: Value
  choices: readonly { value: Value; label: string }[]
  onChoose: (value: Value) => void
}

/** One of a few, for example the theme. */
export function MenuChoice<Value extends string>({
  label,
  value,
  choices,
  onChoose,
}: MenuChoiceProps<Value>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-3 pt-2 pb-1 text-12 text-ink-faint">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChoose} className="flex gap-1 px-2 pb-1">
        {choices.map((choice) => (
          <Base.RadioItem
            key={choice.value}
            value={choice.value}
            closeOnClick={false}
            className={cx(
              item,
              'flex-1 justify-center px-2 whitespace-nowrap data-checked:bg-accent-soft data-checked:text-accent-ink',
            )}
          >
            {choice.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

export function MenuLine() {
  return <Base.Separator className="my-1 h-px bg-line" />
}
