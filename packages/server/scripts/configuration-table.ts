import { type Setting, settings } from '../src/config/settings.ts'

/** The text of docs/configuration.md. */
export function describeSettings(): string {
  const rows = (Object.entries(settings) as [string, Setting][]).map(([name, setting]) => {
    const marks = [setting.production ? 'required in production' : '', setting.secret ? 'secret' : '']
    const value = setting.default ? `\`${setting.default}\`` : '–'
    return `| \`${name}\` | ${value} | ${setting.about} | ${marks.filter(Boolean).join(', ')} |`
  })
  return [
    '# Configuration',
    '',
    'Every setting is an environment variable. None is needed for the sandbox. This page is generated from',
    '`packages/server/src/config/settings.ts` by `npm run generate`.',
    '',
    '| Setting | Default | Meaning | Marks |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
