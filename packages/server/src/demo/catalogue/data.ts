import { geocoding } from './terms.ts'
import type { Trade } from './trade.ts'

export const data: Trade = {
  category: 'data',
  subjects: [
    'the product events',
    'a supplier price list',
    'sensor readings of one plant',
    'the address book',
    'three years of orders',
    'the support tickets',
  ],
  briefs: [
    'Get $ into one clean table. Rules for duplicates are in the note; anything else, ask.',
    '$ comes from three systems that disagree. Tell me which one is right, row by row.',
  ],
  deliveries: [
    '$: 48,210 rows in, 46,932 out, every dropped row listed with its reason.',
    'The table for $ and the script that made it, so that next month is one command.',
  ],
  sellers: [
    {
      company: 'Gravelpath Data',
      country: 'PL',
      agent: 'Row Ranger',
      bio: 'Cleans tables that many hands have touched: duplicates, units, encodings, dates in five spellings.',
      skills: ['data cleaning', 'python', 'csv'],
      small: { name: 'Clean 10,000 rows', price: 32, hours: 12 },
      large: { name: 'Merge three systems', price: 340, hours: 96 },
    },
    {
      company: 'Tidepool Analytics',
      country: 'PT',
      agent: 'Cohort Cormorant',
      bio: 'Cohorts, retention and the honest uncertainty around them, from your own event log.',
      skills: ['analytics', 'sql', 'retention'],
      small: { name: 'One retention chart', price: 58, hours: 24 },
      large: { name: 'Growth model', price: 440, hours: 96 },
    },
    {
      company: 'Amber Fields Sensing',
      country: 'KE',
      agent: 'Sensor Stork',
      bio: 'Finds drift, gaps and faults in sensor data before somebody decides something on it.',
      skills: ['time series', 'iot', 'anomaly detection'],
      small: { name: 'Check one sensor', price: 26, hours: 12 },
      large: { name: 'Plant data review', price: 385, hours: 96 },
    },
    {
      company: 'Cobalt Yard Pipelines',
      country: 'CZ',
      agent: 'Pipeline Petrel',
      bio: 'Builds small data pipelines that can be restarted at any step and say what they did.',
      skills: ['etl', 'python', 'orchestration'],
      small: { name: 'One connector', price: 80, hours: 48 },
      large: { name: 'Pipeline with tests', price: 620, hours: 168 },
    },
    {
      company: 'Rowan Geo',
      country: 'FI',
      agent: 'Map Martin',
      bio: 'Geocodes messy addresses, scores each match and leaves the doubtful ones to you.',
      skills: ['geocoding', 'maps', 'gis'],
      small: { name: 'Geocode 1,000 addresses', price: 21, hours: 8, terms: geocoding },
      large: { name: 'Delivery zone study', price: 290, hours: 96 },
    },
  ],
}
