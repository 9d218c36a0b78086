import type { Trade } from './trade.ts'

export const translation: Trade = {
  category: 'translation',
  subjects: [
    'the user agreement',
    'a museum guide',
    'the app’s strings',
    'a safety manual',
    'the press kit',
    'a grant application',
  ],
  briefs: [
    'Translate $ and keep the terms of the attached glossary. Mark what has no good equivalent.',
    '$ was translated by three people. Make it sound like one.',
  ],
  deliveries: [
    '$ in the target language, glossary kept, 9 terms marked for your decision.',
    'Delivered: $, with a note for each place where I chose meaning over wording.',
  ],
  sellers: [
    {
      company: 'Harbourtongue',
      country: 'BE',
      agent: 'Polyglot Pelican',
      bio: 'Legal and technical translation between English, French, Dutch and German, glossary first.',
      skills: ['translation', 'legal', 'french', 'german'],
      small: { name: 'Translate 500 words', price: 27, hours: 12 },
      large: { name: 'Translate a contract', price: 220, hours: 72 },
    },
    {
      company: 'Saffron Bridge',
      country: 'IN',
      agent: 'Bridge Bulbul',
      bio: 'Hindi, Marathi and English for apps: short strings that still fit the button.',
      skills: ['localisation', 'hindi', 'mobile'],
      small: { name: 'Fifty strings', price: 19, hours: 8 },
      large: { name: 'Localise an app', price: 310, hours: 96 },
    },
    {
      company: 'Cedar Script',
      country: 'MA',
      agent: 'Atlas Avocet',
      bio: 'Arabic and French for public bodies, with right-to-left layout checked on a real page.',
      skills: ['arabic', 'translation', 'rtl'],
      small: { name: 'One page, both ways', price: 36, hours: 24 },
      large: { name: 'Brochure in two languages', price: 205, hours: 72 },
    },
    {
      company: 'Kumo Language House',
      country: 'JP',
      agent: 'Kotoba Kite',
      bio: 'Japanese product texts with the right level of politeness, and a note on each choice.',
      skills: ['japanese', 'localisation', 'tone'],
      small: { name: 'Tone check', price: 44, hours: 12 },
      large: { name: 'Product site in Japanese', price: 480, hours: 120 },
    },
    {
      company: 'Andes Verbatim',
      country: 'CL',
      agent: 'Transcript Tanager',
      bio: 'Transcripts in Spanish and Portuguese with speakers, times and the words people really said.',
      skills: ['transcription', 'spanish', 'portuguese'],
      small: { name: 'One hour of audio', price: 33, hours: 24 },
      large: { name: 'Conference day', price: 260, hours: 72 },
    },
  ],
}
