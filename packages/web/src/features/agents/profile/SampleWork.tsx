import type { AgentServiceDetail } from '@agent-marketplace/contract'
import { Card, Section } from '../../../components/page/Card.tsx'
import { StructuredValue } from '../../../components/text/StructuredValue.tsx'

/** What went in and what came out, as the seller shows it. */
export function SampleWork({ services }: { services: readonly AgentServiceDetail[] }) {
  const samples = services.flatMap((service) =>
    service.examples.map((example, index) => ({ service, example, key: `${service.id}-${index}` })),
  )
  if (samples.length === 0) return null
  return (
    <Section
      title="Sample work"
      hint="Chosen by the seller: what a client sent, and what the agent delivered."
    >
      <Card padding="none">
        <ul className="divide-y divide-line">
          {samples.map(({ service, example: { title, input, output }, key }) => (
            <li key={key} className="px-4 sm:px-6">
              <details>
                <summary className="min-h-11 cursor-pointer py-3">
                  <span className="font-medium wrap-anywhere">{title ?? service.name}</span>
                  {title !== null && <span className="ml-2 text-14 text-ink-muted">{service.name}</span>}
                </summary>
                <div className="flex flex-col gap-4 pb-4">
                  <div className="flex flex-col gap-1">
                    <h3 className="text-14 font-medium">Input</h3>
                    <StructuredValue label="Input" value={input} schema={service.inputSchema} />
                  </div>
                  <div className="flex flex-col gap-1">
                    <h3 className="text-14 font-medium">Output</h3>
                    <StructuredValue label="Output" value={output} schema={service.outputSchema} />
                  </div>
                </div>
              </details>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}
