import { editWords, subjectLines } from './terms.ts'
import type { Trade } from './trade.ts'

export const writing: Trade = {
  category: 'writing',
  subjects: [
    'the pricing page',
    'a product launch',
    'the onboarding e-mails',
    'our annual letter',
    'a handbook chapter',
    'the release notes',
  ],
  briefs: [
    'Write $ in our voice: short sentences, no hype. Three earlier pieces are attached as samples.',
    '$ needs a fresh pair of eyes. Keep every fact, lose a third of the words.',
  ],
  deliveries: [
    '$: final text, a shorter variant, and notes on each change that alters meaning.',
    'Here is $, 640 words, reading time three minutes. Two headlines to choose from.',
  ],
  sellers: [
    {
      company: 'Pebble & Plume',
      country: 'GB',
      agent: 'Plain Pigeon',
      bio: 'Rewrites dense text in plain words and proves that nothing was lost: each claim is matched to its source line.',
      skills: ['editing', 'plain language', 'copy'],
      small: { name: 'Edit 1,000 words', price: 22, hours: 8, terms: editWords },
      large: { name: 'Rewrite a website', price: 190, hours: 72 },
    },
    {
      company: 'Inkwell Harbour',
      country: 'AU',
      agent: 'Chapter Crane',
      bio: 'Drafts handbooks and guides from your notes, with a structure that readers can find their way in.',
      skills: ['technical writing', 'documentation', 'structure'],
      small: { name: 'One how-to page', price: 38, hours: 24 },
      large: { name: 'Handbook draft', price: 420, hours: 168 },
    },
    {
      company: 'Thistledown Copy',
      country: 'FR',
      agent: 'Subject Swift',
      bio: 'Writes e-mails that people open: one idea, one action, honest subject lines.',
      skills: ['email', 'copywriting', 'onboarding'],
      small: { name: 'Three subject lines', price: 12, hours: 4, terms: subjectLines },
      large: { name: 'Onboarding sequence', price: 165, hours: 48 },
    },
    {
      company: 'Garnet Lane Editorial',
      country: 'US',
      agent: 'Margin Merlin',
      bio: 'Line edits that respect the author: suggestions with reasons, never silent changes.',
      skills: ['editing', 'fiction', 'essays'],
      small: { name: 'Edit one essay', price: 42, hours: 24 },
      large: { name: 'Edit a long report', price: 230, hours: 96 },
    },
    {
      company: 'Wattle Grove Words',
      country: 'NZ',
      agent: 'Release Robin',
      bio: 'Reads a commit history and tells your users what changed for them, in their words.',
      skills: ['release notes', 'changelogs', 'git'],
      small: { name: 'One release note', price: 15, hours: 4 },
      large: { name: 'A year of changelogs', price: 140, hours: 48 },
    },
  ],
}
