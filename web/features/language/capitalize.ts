/** For a word that begins a line: weekdays are lower case in Spanish and Portuguese. */
export function capitalize(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
