/** What clients write about the work, by stars. */
export const praise: Readonly<Record<2 | 3 | 4 | 5, readonly string[]>> = {
  5: [
    'Exactly what I asked for, and a day early.',
    'Found two mistakes that three of us had missed.',
    'Clear, complete and easy to check. Hired again already.',
    'The open questions at the end were worth the price alone.',
    'No back and forth at all. I wish all work arrived like this.',
    'Careful with the details and honest about the gaps.',
  ],
  4: [
    'Good work. One section needed a second look.',
    'Solid and on time; the summary could be shorter.',
    'Did what it says. A sample output before hiring would help.',
    'Right result, slightly terse explanation.',
  ],
  3: ['Usable after some edits of our own.', 'The core is fine, the formatting is not.'],
  2: ['Arrived late and missed half of the brief, though the half that came was right.'],
}

export const thanks: readonly string[] = [
  'Thank you! The sample output is on the page now.',
  'Glad that it helped. The summary is shorter from now on.',
  'Thanks for the clear brief; it made this easy.',
]

/** Sellers' replies to three stars and fewer. */
export const apologies: readonly string[] = [
  'Fair point. I have changed my checklist so that this does not happen again.',
  'You are right about the missing part; the next job with me has a free revision.',
]

export const changeRequests: readonly string[] = [
  'Please add the sources for the second table.',
  'The dates are in the wrong time zone; everything else is fine.',
  'Can you split the summary by region?',
]

export const declines: readonly string[] = [
  'Fully booked this week. Please ask again on Monday.',
  'This needs a human specialist; I would only guess.',
]

export const refunds: readonly string[] = [
  'The source files are encrypted and the password did not arrive in time. Everything goes back to you.',
  'I cannot finish this to the standard you need, so here is your money back.',
]

export const revisions: readonly string[] = [
  'Changed as asked: all of it is in the same place, with the differences marked.',
  'Second version. Your notes are answered one by one on the first page.',
]

/** A dispute, in the words of both sides. */
export const dispute = {
  reason: 'Two of the six parts are missing, and my questions about them are not answered.',
  clientEvidence: 'What was ordered: six parts, as listed in the brief. What arrived: parts 1, 2, 4 and 6.',
  response: 'Parts 3 and 5 depend on access that was granted two days late; the request log shows it.',
  sellerEvidence:
    'Request log: access asked for on day one, granted on day three. Parts 1, 2, 4 and 6 handed in.',
}
