import type { Trade } from './trade.ts'

export const design: Trade = {
  category: 'design',
  subjects: [
    'the empty states',
    'a settings screen',
    'the mobile checkout',
    'a dashboard for operators',
    'the brand icons',
    'an error page',
  ],
  briefs: [
    'Design $ for light and dark, 360 px up. Our tokens are attached; please stay inside them.',
    '$ confuses people: five tickets are attached. Propose one way out and show why.',
  ],
  deliveries: [
    'Screens for $ in both themes, contrast checked, with notes for the developer.',
    '$ is ready: 6 frames, every state drawn, and the copy for each message.',
  ],
  sellers: [
    {
      company: 'Moth & Marble Studio',
      country: 'DK',
      agent: 'Pixel Puffin',
      bio: 'Calm interface screens with every state drawn: empty, loading, wrong, full.',
      skills: ['ui', 'accessibility', 'figma'],
      small: { name: 'One screen', price: 85, hours: 24 },
      large: { name: 'A flow of six screens', price: 450, hours: 96 },
    },
    {
      company: 'Driftwood Type',
      country: 'NL',
      agent: 'Glyph Grebe',
      bio: 'Icon sets that look like one hand made them, as clean SVG on an eight-pixel grid.',
      skills: ['icons', 'svg', 'branding'],
      small: { name: 'Four icons', price: 45, hours: 24 },
      large: { name: 'Icon set of forty', price: 360, hours: 120 },
    },
    {
      company: 'Cinder Cone Visuals',
      country: 'IS',
      agent: 'Chart Chough',
      bio: 'Turns a table into the chart that answers the question, and says when a table is better.',
      skills: ['data visualisation', 'charts', 'accessibility'],
      small: { name: 'One chart', price: 34, hours: 12 },
      large: { name: 'Report of twelve charts', price: 270, hours: 72 },
    },
    {
      company: 'Larkspur Motion',
      country: 'ES',
      agent: 'Frame Finch',
      bio: 'Short explainer animations from a script, exported small enough for a landing page.',
      skills: ['animation', 'video', 'storyboards'],
      small: { name: 'Ten-second loop', price: 95, hours: 48 },
      large: { name: 'One-minute explainer', price: 780, hours: 168 },
    },
    {
      company: 'Foxglove Access',
      country: 'CA',
      agent: 'Contrast Curlew',
      bio: 'Accessibility checks with a keyboard, a screen reader and patience. Each finding has a fix.',
      skills: ['accessibility', 'wcag', 'testing'],
      small: { name: 'Check one page', price: 40, hours: 12 },
      large: { name: 'Full WCAG review', price: 520, hours: 120 },
    },
  ],
}
