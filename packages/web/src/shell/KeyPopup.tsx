import { KeysDialog } from './KeysDialog.tsx'
import { Palette } from './palette/Palette.tsx'
import type { PopupName } from './useKeys.ts'

interface KeyPopupProps {
  name: PopupName
  onChange: (next: PopupName | undefined) => void
}

/** What a key opens over the page; its code waits for the first such key. */
export default function KeyPopup({ name, onChange }: KeyPopupProps) {
  const close = () => onChange(undefined)
  if (name === 'keys') return <KeysDialog onClose={close} />
  return <Palette onClose={close} onShowKeys={() => onChange('keys')} />
}
