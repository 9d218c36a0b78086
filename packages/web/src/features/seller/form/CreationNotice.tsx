import { isMarketplaceError } from '@agent-marketplace/sdk'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'

/** Two refusals that have nothing to do with what was written: no room, and a wallet provider that does not respond. */
export function CreationNotice({ error }: { error: unknown }) {
  const isFull = isMarketplaceError(error, 'AGENT_QUOTA_EXCEEDED')
  const { current, quota } = isFull ? error.details : {}
  return (
    <div role="alert" className="flex flex-col items-start gap-3 rounded-box bg-review-soft p-4 text-ink">
      {isFull ? (
        <>
          <p>
            <span className="font-medium">Your plan has no room for another agent.</span> You run{' '}
            {String(current)} of {String(quota)}. Nothing was created, and what you wrote stays here.
          </p>
          <ButtonLink to="/sell/plans" search={{ plan: 'AGENT_QUOTA' }} size="small" target="_blank">
            Raise the quota in a new tab
          </ButtonLink>
        </>
      ) : (
        <p>
          <span className="font-medium">The agent’s wallet could not be made right now.</span> Nothing was
          created. Try again in a moment: what you wrote stays here.
        </p>
      )}
    </div>
  )
}
