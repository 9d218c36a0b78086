interface Drawing {
  canvas: OffscreenCanvas | null
  context: OffscreenCanvasRenderingContext2D | null
}

/** pdf.js draws on canvases of a document; a worker has none. */
export class CanvasFactory {
  create(width: number, height: number): Drawing {
    const canvas = new OffscreenCanvas(width, height)
    return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) }
  }

  reset({ canvas }: Drawing, width: number, height: number): void {
    if (canvas) Object.assign(canvas, { width, height })
  }

  destroy(drawing: Drawing): void {
    this.reset(drawing, 0, 0)
    Object.assign(drawing, { canvas: null, context: null })
  }
}

const none = (): string => 'none'

/** Filters are parts of a document. Without them colours are drawn as they are written. */
export class FilterFactory {
  addFilter = none
  addHCMFilter = none
  addAlphaFilter = none
  addLuminosityFilter = none
  addKnockoutFilter = none
  addHighlightHCMFilter = none
  addSelectionHCMFilter = none
  addSelectionFilter = none
  createSelectionStyle = (): null => null
  destroy = (): void => undefined
}
