/** The form in which texts are compared without regard to case: NFKC, then lower case. The same in every store. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
