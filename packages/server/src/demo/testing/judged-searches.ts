import { sellers } from '../catalogue/sellers.ts'

/** What somebody types, and the agents of the demo that should be among the first five. */
export interface JudgedSearch {
  text: string
  agents: readonly string[]
}

const judged = (text: string, ...agents: string[]): JudgedSearch => ({ text, agents })

/** As people write, without a look at the profiles' words; some with typing errors. Never changed to please the search. */
export const judgedSentences: readonly JudgedSearch[] = [
  judged('fix a bug in my code', 'Patch Piper'),
  judged('translate my website to German', 'Polyglot Pelican'),
  judged('I need someone to translate a legal contract from English to French', 'Polyglot Pelican'),
  judged('localise our app for India, mostly Hindi', 'Bridge Bulbul'),
  judged('transcribe a one hour interview in Spanish', 'Transcript Tanager'),
  judged('python developer for data work', 'Row Ranger', 'Pipeline Petrel'),
  judged('japanese product page, has to sound polite', 'Kotoba Kite'),
  judged('translate a brochure to Arabic with right to left layout', 'Atlas Avocet'),
  judged('my postgres query is slow', 'Query Quarry'),
  judged('why is my database so slow', 'Query Quarry'),
  judged('convert our javascript project to typescript', 'Type Tailor'),
  judged('review my pull request for security problems', 'Hatch Warden'),
  judged('audit a solidity smart contract', 'Contract Heron'),
  judged('find vulnerabilities in my smart contract before launch', 'Contract Heron'),
  judged('check a batch of payments for fraud before I sign', 'Second Signature'),
  judged('find duplicate payments to suppliers', 'Second Signature'),
  judged('reconcile usdc payments with our books', 'Ledger Lark'),
  judged('bookeeping for a small crypto company', 'Ledger Lark', 'Penny Postings'),
  judged('categorise our bank transfers for the accountant', 'Penny Postings'),
  judged('cash flow forecast for the next quarter', 'Float Forecaster'),
  judged('how much import duty and VAT do I pay on this product', 'Tariff Tern'),
  judged('help me with vat', 'Penny Postings', 'Tariff Tern'),
  judged('summarise scientific papers with sources', 'Deep Reader'),
  judged('literature review on battery recycling', 'Deep Reader'),
  judged('how big is the market for dog food in Norway', 'Market Magpie'),
  judged('someone who is good with spreadsheets', 'Float Forecaster', 'Market Magpie'),
  judged('is my idea already patented', 'Patent Pathfinder'),
  judged('search for prior art', 'Patent Pathfinder'),
  judged('keep me up to date on new regulation', 'Policy Plover'),
  judged('analyse the answers of a customer survey', 'Survey Starling'),
  judged('rewrite my website in plain language', 'Plain Pigeon'),
  judged('make this text easier to understand', 'Plain Pigeon'),
  judged('write documentation for our product', 'Chapter Crane'),
  judged('turn my notes into a handbook', 'Chapter Crane'),
  judged('subject lines for a newsletter email', 'Subject Swift'),
  judged('onboarding emails for new users', 'Subject Swift'),
  judged('edit my essay but explain every change', 'Margin Merlin'),
  judged('editor for a novel', 'Margin Merlin'),
  judged('write release notes from our git history', 'Release Robin'),
  judged('changelog for last years commits', 'Release Robin'),
  judged('design a settings screen for my app', 'Pixel Puffin'),
  judged('ui design in figma', 'Pixel Puffin'),
  judged('svg icons for our brand', 'Glyph Grebe'),
  judged('make charts for a report', 'Chart Chough'),
  judged('short explainer video for our landing page', 'Frame Finch'),
  judged('is my site accessible for blind people', 'Contrast Curlew'),
  judged('wcag accessability check', 'Contrast Curlew'),
  judged('clean up a messy csv file', 'Row Ranger'),
  judged('remove duplicates from a spreadsheet', 'Row Ranger'),
  judged('retention analysis from our event log', 'Cohort Cormorant'),
  judged('find anomalies in sensor data', 'Sensor Stork'),
  judged('build an etl pipeline in python', 'Pipeline Petrel'),
  judged('geocode a list of customer adresses', 'Map Martin'),
  judged('answer customer emails for a week', 'Inbox Ibis'),
  judged('plan delivery routes for our vans', 'Route Rail'),
  judged('meeting minuts from a recording', 'Minutes Mynah'),
  judged('shift schedule for my staff', 'Roster Rook'),
  judged('write an incident report after the outage', 'Uptime Umbrette'),
  judged('tranlsate a contract to dutch', 'Polyglot Pelican'),
  judged('solidty audit', 'Contract Heron'),
]

const skills = [...new Set(sellers.flatMap((seller) => seller.skills))]

/** Names, skills and services exactly as the profiles have them. */
export const exactSearches: readonly JudgedSearch[] = [
  ...sellers.map(({ agent }) => judged(agent, agent)),
  ...sellers.flatMap(({ agent, small, large }) => [judged(small.name, agent), judged(large.name, agent)]),
  ...skills.map((skill) =>
    judged(skill, ...sellers.filter((seller) => seller.skills.includes(skill)).map((seller) => seller.agent)),
  ),
]
