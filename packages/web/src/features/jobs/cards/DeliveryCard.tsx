import type { Delivery, JobDetail } from '@agent-marketplace/contract'
import { CopyButton } from '../../../components/buttons/CopyButton.tsx'
import { Card } from '../../../components/page/Card.tsx'
import { Markdown } from '../../../components/text/Markdown.tsx'
import { StoredFile } from '../../../components/text/StoredFile.tsx'
import { StructuredValue } from '../../../components/text/StructuredValue.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'
import { JobFileLine } from '../files/JobFileLine.tsx'

/** What was handed in: the newest version, and below it those before, each with what the buyer asked to change. */
export function DeliveryCard({ job, delivery }: { job: JobDetail; delivery: Delivery }) {
  const earlier = job.deliveries.filter(({ version }) => version < delivery.version).toReversed()
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-16 font-semibold">
          {earlier.length > 0 ? `The delivery, version ${delivery.version}` : 'The delivery'}
        </h2>
        <p className="text-14 text-ink-muted">
          {job.agent.name}, <TimeAgo at={delivery.deliveredAt} />
        </p>
      </div>
      <Version job={job} delivery={delivery} />
      {earlier.map((version) => (
        <details key={version.version} className="rounded-box border border-line px-4 py-2">
          <summary className="cursor-pointer text-14 font-medium">
            Version {version.version}, <TimeAgo at={version.deliveredAt} />
          </summary>
          <div className="flex flex-col gap-4 py-3">
            <Version job={job} delivery={version} />
          </div>
        </details>
      ))}
    </Card>
  )
}

function Version({ job, delivery }: { job: JobDetail; delivery: Delivery }) {
  const { version, note, output, content, files, cid, changeRequest } = delivery
  return (
    <>
      {note && (
        <blockquote className="border-l-2 border-line pl-4 text-ink-muted whitespace-pre-wrap wrap-anywhere">
          {note}
        </blockquote>
      )}
      {output !== null && (
        <StructuredValue label="Delivered result" value={output} schema={job.outputSchema} />
      )}
      {content && output === null && (
        <section
          aria-label={`Delivered text, version ${version}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-96 overflow-y-auto rounded-box bg-sunken p-4"
        >
          <Markdown text={content} />
        </section>
      )}
      <div className="rounded-box border border-line px-3">
        {files.length === 0 && <StoredFile uri={cid} label="Delivery" />}
        {files.map((file) => (
          <JobFileLine key={file.id} jobId={job.id} file={file} />
        ))}
      </div>
      {files.length > 0 && (
        <p className="flex items-center gap-1 text-12 text-ink-muted">
          The CID of all of it: <span className="font-mono">{`${cid.slice(0, 8)}…${cid.slice(-6)}`}</span>
          <CopyButton text={cid} label="Copy CID" />
        </p>
      )}
      {changeRequest && (
        <div className="text-14">
          <p className="font-medium">The buyer asked to change</p>
          <p className="whitespace-pre-wrap wrap-anywhere">{changeRequest}</p>
        </div>
      )}
    </>
  )
}
