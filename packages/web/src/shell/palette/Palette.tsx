import { SEARCH_TEXT_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Dialog } from '../../components/popups/Dialog.tsx'
import { cx } from '../../design/cx.ts'
import { type Choice, groups } from './choices.ts'
import { useChoices } from './useChoices.ts'

interface PaletteProps {
  onClose: () => void
  onShowKeys: () => void
}

/** Everything that one can open or do, by name. The field keeps the focus; the arrows choose. */
export function Palette({ onClose, onShowKeys }: PaletteProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [place, setPlace] = useState(0)
  const { choices, isSearching } = useChoices(query, onShowKeys)
  const chosen = Math.min(place, choices.length - 1)

  useEffect(() => {
    list.current?.querySelector(`[data-place="${chosen}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const open = (choice: Choice | undefined) => {
    if (!choice) return
    onClose()
    choice.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter ends a word of an input method first.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') open(choices[chosen])
    else if (event.key === 'ArrowDown') setPlace(Math.min(chosen + 1, choices.length - 1))
    else if (event.key === 'ArrowUp') setPlace(Math.max(chosen - 1, 0))
    else if (event.key === 'Home') setPlace(0)
    else if (event.key === 'End') setPlace(choices.length - 1)
    else return
    event.preventDefault()
  }

  return (
    <Dialog title="Go to" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <input
        role="combobox"
        aria-label="Find a page, an agent, a job or an action"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        maxLength={SEARCH_TEXT_MAX_LENGTH}
        placeholder="Page, agent, job or action"
        value={query}
        onChange={({ target }) => {
          setQuery(target.value)
          setPlace(0)
        }}
        onKeyDown={onKeyDown}
        className="h-11 w-full rounded-box border border-edge bg-surface px-3 placeholder:text-ink-faint"
      />
      <div
        ref={list}
        role="listbox"
        id={`${id}-list`}
        aria-label="Found"
        className="mt-2 h-[min(24rem,50dvh)] overflow-y-auto"
      >
        {groups.map((group) => {
          const ofGroup = choices.filter((choice) => choice.group === group)
          if (ofGroup.length === 0) return null
          return (
            // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
            <div key={group} role="group" aria-label={group}>
              <p aria-hidden className="px-3 pt-3 pb-1 text-12 text-ink-faint">
                {group}
              </p>
              {ofGroup.map((choice) => {
                const at = choices.indexOf(choice)
                return (
                  // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen one
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
                  <div
                    key={choice.id}
                    role="option"
                    id={`${id}-${at}`}
                    data-place={at}
                    aria-selected={at === chosen}
                    onPointerDown={(event) => event.preventDefault()}
                    onPointerMove={() => setPlace(at)}
                    onClick={() => open(choice)}
                    className={cx(
                      'flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-box px-3 text-14',
                      at === chosen && 'bg-sunken',
                    )}
                  >
                    <span className="min-w-0 truncate font-medium">{choice.title}</span>
                    {choice.hint && (
                      <span className="max-w-2/5 shrink-0 truncate text-ink-muted">{choice.hint}</span>
                    )}
                  </div>
                )
              })}
            </div>
          )
        })}
      </div>
      <p role="status" className="text-14 text-ink-muted">
        {choices.length === 0 && (isSearching ? 'Searching…' : 'Nothing has this name.')}
      </p>
    </Dialog>
  )
}
