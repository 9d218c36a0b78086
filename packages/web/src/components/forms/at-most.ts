/** A form's rule for the length of a text. */
export const atMost = (length: number) => ({
  maxLength: { value: length, message: `At most ${length.toLocaleString('en')} characters.` },
})
