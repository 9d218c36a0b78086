import { formatUsdcExact, type Receipt, type ReceiptLineType, railOf } from '@agent-marketplace/contract'
import PDFDocument from 'pdfkit'
import { drawable, fontFiles, NO_GLYPH } from '../../../platform/text/fonts.ts'

const MARGIN = 50
const WIDTH = 595 - 2 * MARGIN
const LABEL_WIDTH = 120
const ink = { strong: '#111111', plain: '#333333', faint: '#666666', line: '#cccccc' }

const lineWords: Record<ReceiptLineType, string> = {
  PAYMENT: 'Paid by the buyer',
  REFUND: 'Refunded to the client',
  PAYOUT: 'Paid to the agent’s wallet',
  FEE: 'Platform fee',
}

const copyWords = { CLIENT: 'Client’s copy', SELLER: 'Seller’s copy', ADMIN: 'Administrator’s copy' }

const usdc = (micro: string): string => `${formatUsdcExact(BigInt(micro))} USDC`
const utc = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`

/**
 * The receipt on A4. The same receipt is the same bytes: its dates are those of the money and not of the drawing, so that two
 * downloads can be compared.
 */
export function drawReceipt(receipt: Receipt): Promise<Buffer> {
  const drawnAt = new Date(receipt.lines.at(-1)?.at ?? receipt.paidAt)
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: 'en',
    info: {
      Title: `Receipt ${receipt.number}`,
      Producer: 'Agent Marketplace',
      Creator: 'Agent Marketplace',
      CreationDate: drawnAt,
      ModDate: drawnAt,
    },
  })
  doc.registerFont('regular', fontFiles.regular)
  doc.registerFont('bold', fontFiles.bold)
  const bytes = collect(doc)
  const pen = createPen(doc)

  pen.title(`Receipt ${receipt.number}`)
  pen.small(`Agent Marketplace · ${copyWords[receipt.copy]}`)
  pen.heading('Order')
  pen.fact('Service', receipt.title)
  pen.fact('Agent', receipt.agent.name)
  pen.fact('Agent’s wallet', receipt.agent.walletAddress)
  pen.fact('Job', `${receipt.jobId} (${receipt.status})`)
  pen.fact('Ordered', utc(receipt.orderedAt))
  pen.fact('Paid', utc(receipt.paidAt))
  if (receipt.deliveredAt !== null) pen.fact('Delivered', utc(receipt.deliveredAt))
  if (receipt.endedAt !== null) pen.fact('Ended', utc(receipt.endedAt))
  for (const [label, party] of [
    ['Client', receipt.client],
    ['Seller', receipt.seller],
  ] as const) {
    pen.heading(label)
    pen.fact('Legal name', party.legalName ?? 'Not verified, or not public')
    pen.fact('Wallet', party.walletAddress)
  }

  pen.heading('Movements')
  for (const { type, amount, at, txHash } of receipt.lines) {
    pen.amount(lineWords[type], usdc(amount))
    pen.small(`${utc(at)}${txHash === null ? '' : ` · ${txHash}`}`)
  }
  pen.heading('Totals')
  const { totals } = receipt
  pen.amount('Paid by the buyer', usdc(totals.paid))
  if (totals.refunded !== '0') pen.amount('Refunded to the client', usdc(totals.refunded))
  if (totals.held !== '0') pen.amount('Held in escrow', usdc(totals.held))
  if (totals.fee !== null) pen.amount('Platform fee', usdc(totals.fee))
  if (totals.net !== null) pen.amount('Net to the agent', usdc(totals.net))
  pen.amount('Cost to the client', usdc(totals.cost), true)

  const { network } = receipt
  pen.heading('Payment')
  pen.fact('Method', railOf(receipt.paymentMethod).title)
  pen.fact('Network', `${network.name} (chain ${network.chainId})`)
  pen.fact('Currency', `${network.currency}, token ${network.token}`)
  if (pen.hasGaps())
    pen.small(`${NO_GLYPH} stands for a character that this file’s font does not have. The page shows it.`)
  doc.end()
  return bytes
}

/** Draws words that are made fit for the font, each below the last. */
function createPen(doc: PDFKit.PDFDocument) {
  let hasGaps = false
  const fit = (text: string): string => {
    const words = drawable(text)
    if (words.includes(NO_GLYPH)) hasGaps = true
    return words
  }
  /** A label never stands alone at the end of a page. */
  const keepTogether = (height: number): void => {
    if (doc.y + height > doc.page.height - MARGIN) doc.addPage()
  }
  return {
    hasGaps: () => hasGaps,
    title(text: string): void {
      doc.font('bold').fontSize(16).fillColor(ink.strong).text(fit(text), MARGIN, doc.y, { width: WIDTH })
    },
    heading(text: string): void {
      keepTogether(60)
      doc.moveDown(0.8)
      doc.font('bold').fontSize(11).fillColor(ink.strong).text(fit(text), MARGIN, doc.y, { width: WIDTH })
      const lineY = doc.y + 2
      doc
        .moveTo(MARGIN, lineY)
        .lineTo(MARGIN + WIDTH, lineY)
        .lineWidth(0.5)
        .strokeColor(ink.line)
        .stroke()
      doc.y = lineY + 4
    },
    fact(label: string, value: string): void {
      const words = fit(value)
      const options = { width: WIDTH - LABEL_WIDTH }
      doc.font('regular').fontSize(9)
      keepTogether(doc.heightOfString(words, options))
      const { y } = doc
      doc.fillColor(ink.faint).text(label, MARGIN, y, { width: LABEL_WIDTH })
      doc.fillColor(ink.plain).text(words, MARGIN + LABEL_WIDTH, y, options)
    },
    amount(label: string, value: string, isStrong = false): void {
      keepTogether(28)
      const { y } = doc
      doc
        .font(isStrong ? 'bold' : 'regular')
        .fontSize(10)
        .fillColor(ink.strong)
      doc.text(label, MARGIN, y, { width: WIDTH / 2 })
      doc.text(value, MARGIN + WIDTH / 2, y, { width: WIDTH / 2, align: 'right' })
    },
    small(text: string): void {
      doc.font('regular').fontSize(7.5).fillColor(ink.faint).text(fit(text), MARGIN, doc.y, { width: WIDTH })
    },
  }
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    doc.on('data', (part: Buffer) => parts.push(part))
    doc.on('end', () => resolve(Buffer.concat(parts)))
    doc.on('error', reject)
  })
}
