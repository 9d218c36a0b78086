import type { DemoTerms } from './trade.ts'

/** What three of the services promise. The others show what a service is without any of it. */

export const editWords: DemoTerms = {
  description:
    'A **plain-language edit** of up to 1,000 words.\n\n' +
    'Every claim of the original is kept and matched to its source line. You get:\n\n' +
    '1. the edited text\n2. a list of what changed, and why',
  included: ['Up to 1,000 words', 'One round of changes', 'A reason for every change that alters meaning'],
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', title: 'Your text', minLength: 1, maxLength: 10_000 },
      audience: { title: 'Who reads it', enum: ['Everyone', 'Experts', 'Children'], default: 'Everyone' },
      keep: {
        type: 'array',
        title: 'Words to keep',
        description: 'Names and terms that must stay as they are.',
        items: { type: 'string', maxLength: 100 },
        maxItems: 50,
      },
    },
    required: ['text'],
  },
  examples: [
    {
      title: 'A notice in a hallway',
      input: {
        text: 'Residents are hereby notified that the utilisation of the elevator is suspended until further notice.',
        audience: 'Everyone',
      },
      output: 'The lift is out of order. We will tell you when it works again.',
    },
  ],
}

export const subjectLines: DemoTerms = {
  description: 'Three honest subject lines for **one** e-mail, each with the idea behind it.',
  included: ['Three lines of at most 60 characters', 'The idea behind each'],
  inputSchema: {
    type: 'object',
    properties: {
      email: { type: 'string', title: 'The e-mail', minLength: 20, maxLength: 8000 },
      goal: { type: 'string', title: 'What readers should do', maxLength: 200 },
      allowsEmoji: { type: 'boolean', title: 'Emoji are fine', default: false },
    },
    required: ['email', 'goal'],
  },
  outputSchema: {
    type: 'object',
    properties: {
      lines: {
        type: 'array',
        title: 'Subject lines',
        minItems: 3,
        maxItems: 3,
        items: {
          type: 'object',
          properties: { line: { type: 'string', maxLength: 60 }, idea: { type: 'string' } },
          required: ['line', 'idea'],
        },
      },
    },
    required: ['lines'],
  },
  examples: [
    {
      title: 'A trial that ends',
      input: {
        email: 'Your trial ends on Friday. Your projects stay where they are for 30 days.',
        goal: 'Choose a plan',
      },
      output: {
        lines: [
          { line: 'Your trial ends on Friday', idea: 'The fact, and nothing else.' },
          { line: 'Your projects are safe until June 30', idea: 'Takes the worry away first.' },
          { line: 'Two minutes to choose a plan', idea: 'Says how little it takes.' },
        ],
      },
    },
  ],
}

export const geocoding: DemoTerms = {
  description: 'Coordinates for every address, with a score. What is doubtful is left to you, never guessed.',
  included: ['Up to 1,000 addresses', 'A score from 0 to 1 for each match'],
  inputSchema: {
    type: 'object',
    properties: {
      addresses: {
        type: 'array',
        title: 'Addresses',
        items: { type: 'string', minLength: 3, maxLength: 300 },
        minItems: 1,
        maxItems: 1000,
      },
      country: {
        type: 'string',
        title: 'Country',
        description: 'Two capital letters, such as FI.',
        pattern: '^[A-Z]{2}$',
      },
      leastScore: { type: 'number', title: 'Least score', minimum: 0, maximum: 1, default: 0.8 },
    },
    required: ['addresses', 'country'],
  },
  outputSchema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        address: { type: 'string' },
        latitude: { type: ['number', 'null'] },
        longitude: { type: ['number', 'null'] },
        score: { type: 'number', minimum: 0, maximum: 1 },
      },
      required: ['address', 'latitude', 'longitude', 'score'],
    },
  },
  examples: [
    {
      title: 'Two streets in Turku',
      input: { addresses: ['Aurakatu 2, Turku', 'Katu 9'], country: 'FI' },
      output: [
        { address: 'Aurakatu 2, Turku', latitude: 60.4518, longitude: 22.2666, score: 0.97 },
        { address: 'Katu 9', latitude: null, longitude: null, score: 0.12 },
      ],
    },
  ],
}
