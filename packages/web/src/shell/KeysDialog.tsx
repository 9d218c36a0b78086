import { Dialog } from '../components/Dialog.tsx'

const keys = [
  ['/', 'Search'],
  ['g b', 'Go to browse'],
  ['g j', 'Go to your jobs'],
  ['g s', 'Go to your seller home'],
  ['g n', 'Go to notifications'],
  ['?', 'Show these keys'],
] as const

export default function KeysDialog(props: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }) {
  return (
    <Dialog title="Keys" {...props}>
      <dl className="flex flex-col divide-y divide-line">
        {keys.map(([key, meaning]) => (
          <div key={key} className="flex items-center justify-between py-2">
            <dt>{meaning}</dt>
            <dd>
              <kbd className="rounded-[6px] border border-line bg-sunken px-2 py-0.5 font-mono text-14">
                {key}
              </kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
