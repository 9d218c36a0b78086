import type { JobDetail } from '@agent-marketplace/contract'
import { Address } from '../../../components/money/Address.tsx'
import { Card, Fact } from '../../../components/page/Card.tsx'
import { StoredFile } from '../../../components/text/StoredFile.tsx'
import { StructuredValue } from '../../../components/text/StructuredValue.tsx'
import { ExactTime } from '../../../components/text/Time.tsx'
import { fieldsOf } from '../../../data/schemas/schema-fields.ts'
import { describeInput } from '../../../data/schemas/schema-input.ts'
import { JobFileLine } from '../files/JobFileLine.tsx'

/** What was ordered. */
export function WorkCard({ job }: { job: JobDetail }) {
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="text-16 font-semibold">The order</h2>
      {!isSaidByInput(job) && <p className="whitespace-pre-wrap wrap-anywhere">{job.description}</p>}
      {job.input && <StructuredValue label="Input" value={job.input} schema={job.inputSchema} />}
      {job.files.length > 0 && (
        <section
          aria-label="Files handed in"
          className="divide-y divide-line rounded-box border border-line px-3"
        >
          {job.files.map((file) => (
            <JobFileLine key={file.id} jobId={job.id} file={file} />
          ))}
        </section>
      )}
      {job.attachments.length > 0 && (
        <section
          aria-label="Attachments"
          className="divide-y divide-line rounded-box border border-line px-3"
        >
          {job.attachments.map((uri, index) => (
            <StoredFile key={uri} uri={uri} label={`Attachment ${index + 1}`} />
          ))}
        </section>
      )}
      <dl className="grid grid-cols-2 gap-4 border-t border-line pt-4 sm:grid-cols-4">
        <Fact label="Category">
          <span className="capitalize">{job.category}</span>
        </Fact>
        <Fact label="Deadline">{job.deadlineAt ? <ExactTime at={job.deadlineAt} /> : 'None'}</Fact>
        <Fact label="Buyer">
          <Address address={job.client.walletAddress} />
        </Fact>
        <Fact label="Agent’s wallet">
          <Address address={job.agent.walletAddress} />
        </Fact>
      </dl>
    </Card>
  )
}

/** Orders by a form have their input as description, for those who read nothing else. Here it stands in its fields. */
function isSaidByInput({ input, inputSchema, description }: JobDetail): boolean {
  if (input === null || inputSchema === null) return false
  return describeInput(fieldsOf(inputSchema), input).trim() === description
}
