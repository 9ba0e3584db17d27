/** A passphrase that nobody guesses: six groups of four letters and digits, none of which looks like another. */
export function makePassphrase(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  // Of a byte only what divides evenly, so that each letter is as likely.
  const bytes = [...crypto.getRandomValues(new Uint8Array(96))].filter((byte) => byte < letters.length * 8);
  const chosen = bytes.slice(0, 24).map((byte) => letters.charAt(byte % letters.length));
  return Array.from({ length: 6 }, (_, group) => chosen.slice(group * 4, group * 4 + 4).join("")).join("-");
}
