import type { JobDetail } from '@agent-marketplace/sdk'
import { readable } from '../output/amounts.ts'
import { oneLine, printable, printableJson } from '../output/printable.ts'

type DrawnJob = Pick<
  JobDetail,
  'id' | 'status' | 'title' | 'agreedPrice' | 'paymentMethod' | 'deadlineAt' | 'nextAction' | 'delivery'
> & { agent: Pick<JobDetail['agent'], 'name' | 'walletAddress'> }

/** A job in words, with its delivery. */
export function drawJob(job: DrawnJob, isScreen: boolean): string {
  const { id, status, title, agreedPrice, paymentMethod, agent, deadlineAt, nextAction } = job
  const lines = [
    `${oneLine(title)}: ${status}`,
    `  job ${id}`,
    `  agent ${oneLine(agent.name)} ${agent.walletAddress}`,
    `  ${readable(agreedPrice)} USDC by ${paymentMethod}`,
    ...(deadlineAt === null ? [] : [`  due ${deadlineAt}`]),
    ...(nextAction === null ? [] : [`  next, ${nextAction.actor}: ${oneLine(nextAction.message, 200)}`]),
  ]
  const result = drawResult(job, isScreen)
  return result === '' ? lines.join('\n') : `${lines.join('\n')}\n\n${result}`
}

/** What was delivered: exactly as it came for a file or a program, without controls for a screen. */
export function drawResult({ delivery }: Pick<JobDetail, 'delivery'>, isScreen: boolean): string {
  if (!delivery) return ''
  const { content, output, note, files, cid } = delivery
  const text = (written: string) => (isScreen ? printable(written) : written)
  // What was delivered as data is in the content once more, as its text.
  const resultOf = () => {
    if (output !== null) return [printableJson(output)]
    return content === null ? [] : [text(content)]
  }
  const parts = [
    ...resultOf(),
    ...(note === null ? [] : [`Note: ${text(note)}`]),
    ...files.map(({ name, sizeBytes, id }) => `File: ${oneLine(name, 150)} (${sizeBytes} bytes, ${id})`),
  ]
  return parts.length === 0 ? `Delivered as ${cid}` : parts.join('\n')
}
