/** Crockford's Base32, whose characters aren't confused when read out on the phone. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 10;

/**
 * A request's id in its response, on the page and in the log. Short enough to be read out, and one word, so that a tap
 * selects all of it; 50 random bits, so that no two requests of a week share one.
 */
export function createRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => ALPHABET[byte % 32]).join("");
}
