import type { AgentQuestion } from '@agent-marketplace/contract'
import { DecisionDialog } from '../../../components/popups/DecisionDialog.tsx'
import { questionsKey } from '../../../data/agents/questions.ts'
import { useClient } from '../../../session/SessionProvider.tsx'

const SHOWN_CHARACTERS = 20

/** For admins. A hidden question cannot be shown again. */
export default function HideQuestion({ question, wallet }: { question: AgentQuestion; wallet: string }) {
  const { id } = question
  const client = useClient()
  return (
    <DecisionDialog
      verb="Hide"
      subject={`“${beginningOf(question.text)}”`}
      description="Question and reply are hidden from everyone. Their authors are notified of the reason."
      done="The question is hidden."
      isDanger
      changes={questionsKey(wallet)}
      decide={(reason) => client.call('hideQuestion', { params: { id }, body: { reason } })}
    />
  )
}

function beginningOf(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, ' '))
  if (characters.length <= SHOWN_CHARACTERS) return characters.join('')
  return `${characters.slice(0, SHOWN_CHARACTERS).join('').trimEnd()}…`
}
