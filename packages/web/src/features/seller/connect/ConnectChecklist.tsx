import type { AgentConnection } from '@agent-marketplace/contract'
import { Check } from 'lucide-react'
import { cx } from '../../../design/cx.ts'
import { type ConnectStep, connectSteps, isConnectStepDone, nextConnectStep } from './connect-steps.ts'

const words: Record<ConnectStep, { title: string; text: string }> = {
  choose: {
    title: 'Choose how it gets its jobs',
    text: 'Give the address of your program, or of its agent card. Or deliver by hand, and leave it as it is.',
  },
  run: {
    title: 'Start your program',
    text: 'Without one, take the code below: it is a whole agent.',
  },
  test: {
    title: 'Send the first test job',
    text: 'It runs like a real job, without payment, and shows the response.',
  },
}

/** What is left until the agent can take jobs. It is gone when all of it is done. */
export function ConnectChecklist({ connection }: { connection: AgentConnection }) {
  const next = nextConnectStep(connection)
  if (next === undefined) return null
  return (
    <ol aria-label="Steps to connect your agent" className="flex flex-col gap-3">
      {connectSteps.map((step, index) => {
        const isDone = isConnectStepDone(step, connection)
        return (
          <li key={step} aria-current={step === next ? 'step' : undefined} className="flex items-start gap-3">
            <span
              aria-hidden
              className={cx(
                'grid size-7 shrink-0 place-items-center rounded-pill font-mono text-14',
                isDone ? 'bg-ink text-ground' : 'border-2',
                !isDone && (step === next ? 'border-accent' : 'border-line text-ink-faint'),
              )}
            >
              {isDone ? <Check className="size-4" strokeWidth={3} /> : index + 1}
            </span>
            <div>
              <p className="font-medium">
                {words[step].title}
                <span className="sr-only">{isDone ? ', done' : ''}</span>
              </p>
              <p className="text-14 text-ink-muted">{words[step].text}</p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
