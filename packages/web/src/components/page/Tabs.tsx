import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { cx } from '../../design/cx.ts'

export interface Tab<Value extends string> {
  value: Value
  label: ReactNode
  /** How many wait there. Where it can come later, undefined keeps its place. */
  count?: number | undefined
  content: ReactNode
}

interface TabsProps<Value extends string> {
  label: string
  tabs: readonly Tab<Value>[]
  /** The URL should hold it, so that a reload shows the same. */
  value: Value
  onChange: (value: Value) => void
}

export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={onChange}>
      <Base.List aria-label={label} className="relative flex gap-6 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="flex min-h-11 items-center gap-2 whitespace-nowrap text-ink-muted -outline-offset-2 hover:text-ink data-active:text-ink"
          >
            {tab.label}
            {'count' in tab && (
              <span
                className={cx(
                  'rounded-pill bg-sunken px-2 text-12 text-ink-muted',
                  tab.count === undefined && 'invisible',
                )}
              >
                {tab.count ?? 0}
              </span>
            )}
          </Base.Tab>
        ))}
        <Base.Indicator className="absolute bottom-0 left-0 h-0.5 w-(--active-tab-width) translate-x-(--active-tab-left) bg-ink transition-all" />
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="mt-4 rounded-box pt-2">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
