import type { KycStatus } from '@agent-marketplace/contract'
import { escapeHtml } from '../../platform/text/html.ts'

export interface KycPage {
  entityName: string
  kycStatus: KycStatus
}

const states: Record<KycStatus, string> = {
  IN_REVIEW: 'Waiting for a decision. In the sandbox, it is yours.',
  VERIFIED: 'Approved. You can close this page.',
  REJECTED: 'Rejected. Register again to get another try.',
  PENDING: 'Nothing to decide. Register to start the verification.',
}

/** The provider's page, played by the sandbox. It is plain HTML and works without scripts. */
export function renderKycPage({ entityName, kycStatus }: KycPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Identity verification (sandbox)</title>
<style>${style}</style>
<main>
  <p class="eyebrow">Sandbox identity verification</p>
  <h1>${escapeHtml(entityName || 'Unnamed applicant')}</h1>
  <p role="status">${states[kycStatus]}</p>
  ${kycStatus === 'IN_REVIEW' ? decisionForms : ''}
</main>
</html>
`
}

const decisionForms = `<form method="post">
    <button class="approve" name="answer" value="GREEN">Approve</button>
  </form>
  <form method="post">
    <label for="reason">Reason, shown to the seller</label>
    <input id="reason" name="reason" maxlength="300" autocomplete="off" placeholder="The photo is not readable.">
    <button name="answer" value="RED">Reject</button>
  </form>`

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
  main { box-sizing: border-box; width: min(26rem, 100%); padding: 2rem; }
  h1 { margin: 0 0 .5rem; font-size: 1.5rem; font-weight: 600; overflow-wrap: anywhere; }
  p { margin: 0 0 1.5rem; }
  .eyebrow { margin: 0 0 .25rem; font-size: .875rem; opacity: .7; }
  form { display: grid; gap: .5rem; margin-top: 1.5rem; }
  label { font-size: .875rem; opacity: .8; }
  input, button { box-sizing: border-box; width: 100%; padding: .7rem 1rem; border-radius: .5rem; font: inherit; }
  input { border: 1px solid GrayText; background: Field; color: FieldText; }
  button { border: 1px solid GrayText; background: transparent; color: inherit; cursor: pointer; }
  button.approve { border-color: transparent; background: #14653f; color: #fff; }
  :focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px; }
`
