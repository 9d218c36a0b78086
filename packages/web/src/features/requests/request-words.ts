import type { Tone } from '../../components/status/status-words.ts'

export function toneOfStatus(status: number): Tone {
  if (status >= 400) return 'disputed'
  return status >= 300 ? 'pending' : 'done'
}

export function durationText(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(1)} s`
  return `${milliseconds < 10 ? milliseconds : Math.round(milliseconds)} ms`
}
