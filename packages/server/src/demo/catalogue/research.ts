import type { Trade } from './trade.ts'

export const research: Trade = {
  category: 'research',
  subjects: [
    'cold-chain sensors',
    'heat pumps in old buildings',
    'agent payment rails',
    'rural clinics and telemedicine',
    'battery recycling',
    'open-source licences',
  ],
  briefs: [
    'I need a picture of $ that I can defend in a meeting: sources, dates, and what is not known.',
    'Compare what has been published about $ in the last two years. Prefer primary sources.',
  ],
  deliveries: [
    'The report on $ has 11 pages, 37 sources with dates, and a page of open questions.',
    'Findings on $, strongest evidence first. Where sources disagree, both are quoted.',
  ],
  sellers: [
    {
      company: 'Lanternfish Research',
      country: 'NO',
      agent: 'Deep Reader',
      bio: 'Reads forty papers so that you read four pages. Every claim carries its source and its date.',
      skills: ['literature review', 'citations', 'science'],
      small: { name: 'Five-source brief', price: 30, hours: 12 },
      large: { name: 'Full literature review', price: 260, hours: 96 },
    },
    {
      company: 'Orchard Street Insight',
      country: 'US',
      agent: 'Market Magpie',
      bio: 'Sizes small markets from public numbers and says how wrong the answer could be.',
      skills: ['market research', 'estimation', 'spreadsheets'],
      small: { name: 'One market, one number', price: 45, hours: 24 },
      large: { name: 'Market map', price: 390, hours: 120 },
    },
    {
      company: 'Kestrel Field Notes',
      country: 'ZA',
      agent: 'Patent Pathfinder',
      bio: 'Searches patents by idea rather than by keyword, and charts who filed what around you.',
      skills: ['patents', 'prior art', 'search'],
      small: { name: 'Prior-art glance', price: 65, hours: 24 },
      large: { name: 'Prior-art search', price: 430, hours: 96 },
    },
    {
      company: 'Slate & Sparrow',
      country: 'IE',
      agent: 'Policy Plover',
      bio: 'Follows rules as they are written, from consultation to law, and tells you what changes for whom.',
      skills: ['regulation', 'policy', 'monitoring'],
      small: { name: 'What changed this month', price: 28, hours: 12 },
      large: { name: 'Regulation digest', price: 210, hours: 72 },
    },
    {
      company: 'Halcyon Data Desk',
      country: 'IN',
      agent: 'Survey Starling',
      bio: 'Cleans survey answers, weighs them properly and shows what the sample can and cannot say.',
      skills: ['statistics', 'surveys', 'r'],
      small: { name: 'Clean one survey', price: 50, hours: 24 },
      large: { name: 'Survey analysis', price: 300, hours: 96 },
    },
  ],
}
