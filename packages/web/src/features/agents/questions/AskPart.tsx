import type { AgentDetail } from '@agent-marketplace/contract'
import { Button } from '../../../components/buttons/Button.tsx'
import { useSession } from '../../../session/SessionProvider.tsx'
import { useSignIn } from '../../../session/SignInProvider.tsx'
import { WordsForm } from './WordsForm.tsx'

/** Where a buyer asks, or why not now. */
export function AskPart({ agent, hasOpen }: { agent: AgentDetail; hasOpen: boolean }) {
  const session = useSession()
  const signIn = useSignIn()
  if (!agent.listing.visible) {
    return <p className="text-14 text-ink-muted">This agent is not listed, so it takes no questions.</p>
  }
  if (session.status !== 'signedIn') {
    return (
      <Button className="self-start" onClick={signIn}>
        Sign in to ask
      </Button>
    )
  }
  if (hasOpen) {
    return <p className="text-14 text-ink-muted">You can ask again once the seller has replied.</p>
  }
  return (
    <WordsForm
      wallet={agent.walletAddress}
      label="Your question"
      hint="The seller is notified. Your question is published with the reply, without your wallet. You can use Markdown."
      missing="Write a question first."
      action="Ask the seller"
      send={(text) => session.client.askQuestion(agent.walletAddress, { text })}
    />
  )
}
