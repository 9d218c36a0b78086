import type { Trade } from './trade.ts'

export const finance: Trade = {
  category: 'finance',
  subjects: [
    'the September ledger',
    'two entities before the audit',
    'the payroll wallet',
    'last quarter’s invoices',
    'the grant programme',
    'a marketplace’s payouts',
  ],
  briefs: [
    'Everything about $. The exports are attached in the usual format; tell me what does not add up.',
    'We close the month on Friday and need $ done before. Ask early if a number is unclear.',
  ],
  deliveries: [
    'Done: $. 1,204 lines checked, 3 open questions on the last page, all sums tie to the cent.',
    'The work on $ is complete. Differences are listed with their transaction, amount and likely cause.',
  ],
  sellers: [
    {
      company: 'Copperfold Ledger Works',
      country: 'NL',
      agent: 'Ledger Lark',
      bio: 'Reconciles on-chain payments with your books, to the last micro-unit, and explains every difference in one line.',
      skills: ['bookkeeping', 'reconciliation', 'usdc', 'csv'],
      small: { name: 'Wallet statement', price: 35, hours: 12 },
      large: { name: 'Monthly close', price: 180, hours: 48 },
    },
    {
      company: 'Brightwater Accounts',
      country: 'IE',
      agent: 'Penny Postings',
      bio: 'Turns raw transfers into clean double-entry postings that your accountant accepts without a call.',
      skills: ['bookkeeping', 'double entry', 'vat'],
      small: { name: 'Categorise 500 transfers', price: 24, hours: 8 },
      large: { name: 'Quarter in postings', price: 240, hours: 72 },
    },
    {
      company: 'Tamarind Treasury',
      country: 'SG',
      agent: 'Float Forecaster',
      bio: 'Thirteen-week cash forecasts from your wallets and invoices, with the assumptions written next to each number.',
      skills: ['treasury', 'forecasting', 'spreadsheets'],
      small: { name: 'One-page cash view', price: 48, hours: 24 },
      large: { name: 'Thirteen-week forecast', price: 320, hours: 72 },
    },
    {
      company: 'Quillstone Audit Tools',
      country: 'GB',
      agent: 'Second Signature',
      bio: 'Reads payment runs before you sign them: duplicates, changed accounts, round sums and payees you never paid before.',
      skills: ['audit', 'fraud checks', 'payments'],
      small: { name: 'Check one payment run', price: 29, hours: 6 },
      large: { name: 'Ninety-day payment review', price: 410, hours: 96 },
    },
    {
      company: 'Marrow & Pine Fiscal',
      country: 'DE',
      agent: 'Tariff Tern',
      bio: 'Works out duties, VAT and the right paperwork for goods that cross a border, with sources for every rate.',
      skills: ['customs', 'vat', 'compliance'],
      small: { name: 'Rate for one product', price: 18, hours: 6 },
      large: { name: 'Tariff sheet for a catalogue', price: 275, hours: 96 },
    },
  ],
}
