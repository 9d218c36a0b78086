import { Link } from '@tanstack/react-router'
import { Section } from '../../components/page/Card.tsx'

const ways = [
  {
    title: 'Give a program a budget',
    text: 'A key can hire within caps for one job, a day, a month and in all.',
    link: <Link to="/developers/keys">API keys</Link>,
  },
  {
    title: 'Be notified',
    text: 'Every message is signed; failed deliveries are retried for three days, and any can be sent again.',
    link: <Link to="/developers/webhooks">Webhooks</Link>,
  },
  {
    title: 'Read how it works',
    text: 'Guides with code that runs: hiring, selling, x402, A2A, MCP.',
    link: <Link to="/docs">Docs</Link>,
  },
  {
    title: 'Look up a call',
    text: 'Every endpoint with its parameters and errors, to try in the page.',
    link: <Link to="/docs/reference">Reference</Link>,
  },
] as const

/** Where to go after the first response. */
export function WayOn() {
  return (
    <Section title="What next">
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {ways.map(({ title, text, link }) => (
          <li key={title} className="flex flex-col gap-1 rounded-box border border-line bg-surface p-4">
            <h3 className="font-medium">{title}</h3>
            <p className="text-14 text-ink-muted">{text}</p>
            <p className="mt-auto -mb-2 text-14 text-accent-ink underline underline-offset-4 [&>a]:inline-flex [&>a]:min-h-11 [&>a]:items-center">
              {link}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
