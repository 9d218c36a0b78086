import { Dialog } from '../components/popups/Dialog.tsx'

const keys = [
  ['Ctrl K or ⌘ K', 'Go to a page, an agent, a job or an action'],
  ['/', 'Search'],
  ['j', 'Next row of a list'],
  ['k', 'Previous row of a list'],
  ['Enter', 'Open the row'],
  ['g b', 'Go to browse'],
  ['g j', 'Go to your jobs'],
  ['g s', 'Go to your seller home'],
  ['g d', 'Go to the developers’ section'],
  ['g n', 'Go to notifications'],
  ['?', 'Show these keys'],
] as const

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <dl className="flex flex-col divide-y divide-line">
        {keys.map(([key, meaning]) => (
          <div key={key} className="flex items-center justify-between gap-4 py-2">
            <dt>{meaning}</dt>
            <dd>
              <kbd className="rounded-[6px] border border-line bg-sunken whitespace-nowrap px-2 py-0.5 font-mono text-14">
                {key}
              </kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
