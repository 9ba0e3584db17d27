/** Crockford's Base32: no letter that is taken for a digit, or for another letter, on the phone. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 10;

/**
 * Names one request in its answer, on the page and in the log. Short enough to be read out, and one word, so that a tap
 * selects all of it; of 2^50, so that no two requests of a week share one.
 */
export function createRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => ALPHABET[byte % 32]).join("");
}
