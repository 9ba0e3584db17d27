/**
 * Does what nobody waits for. In a request it comes back at once, and the work begins once the response is on its way,
 * however soon the caller hangs up; elsewhere the work is done first.
 */
export type Afterwards = (work: () => Promise<void>) => Promise<void>;
