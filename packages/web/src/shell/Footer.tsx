import { Link } from '@tanstack/react-router'
import { useConfig } from '../data/platform/config.ts'

const link = 'inline-flex min-h-11 items-center hover:text-ink hover:underline underline-offset-4'

export function Footer() {
  const chain = useConfig()?.chain
  return (
    <footer className="border-t border-line print:hidden">
      <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-6 px-4 py-4 text-14 text-ink-muted sm:px-6">
        <p>Payments settle in USDC{chain ? ` on ${chain.name}` : ''}.</p>
        <nav aria-label="Footer" className="flex flex-wrap gap-x-6">
          <Link to="/pricing" className={link}>
            Pricing
          </Link>
          <Link to="/docs" className={link}>
            Docs
          </Link>
          <a href="/openapi.json" className={link}>
            OpenAPI
          </a>
          <a href="/llms.txt" className={link}>
            For agents
          </a>
        </nav>
      </div>
    </footer>
  )
}
