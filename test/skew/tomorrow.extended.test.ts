import { describe, expect, it } from "vitest";
import { API_RESPONSES, READERS, readResponseNames, responseShape } from "./readers.ts";
import { changesOf, differsOnlyIn, samplesOf, NEW_WORD } from "./tomorrow.ts";

/** Words that the reader chose itself, so that no other comes back. */
const ECHOES: readonly RegExp[] = [
  /^the response (quote|prepareResponse): an unknown word at (quote\.)?plan$/,
];

/**
 * Rows that say nothing without the word: each is one item of its table, set aside as a whole, and the rest goes on. An
 * attempt is salvaged from its offer.
 */
const SET_ASIDE: readonly RegExp[] = [
  /^what is stored as driver\/attempt: an unknown case at outcome$/,
  /^what is stored as driver\/state\/linkSession: an unknown word at state$/,
  /^what is stored as driver\/outboxItem: an unknown case at the top$/,
  /^what is stored as driver\/textAbout: an unknown (case at the top|word at (news|change)\.kind)$/,
];

/** Responses that neither the page nor the console reads. */
const READ_BY_OTHERS = ["GET /status/openapi.json", "GET /flex/v1/user/export", "POST /webhooks/stripe"];

describe.each(READERS)("%s", (reader, { shape, read }) => {
  it("of a later release loses one item at most", async () => {
    const tried = new Set<string>();
    const lost: string[] = [];
    for (const sample of samplesOf(shape)) {
      const known = await read(sample);
      for (const { name, value, regions } of changesOf(shape, sample, tried)) {
        const change = `${reader}: ${name}`;
        const isOf = (list: readonly RegExp[]) => list.some((pattern) => pattern.test(change));
        const found = await Promise.resolve(value)
          .then(read)
          .catch(() => null);
        if (isOf(SET_ASIDE) ? found !== null : !differsOnlyIn(regions, known, found) && !isOf(ECHOES))
          lost.push(change);
        if (JSON.stringify(found ?? null).includes(NEW_WORD) && !regions.length)
          lost.push(`${change} is kept`);
      }
    }
    expect(lost).toEqual([]);
  });
});

describe("the readers", () => {
  it("are all responses of the API that a page reads", () => {
    const read = new Set(readResponseNames().map(responseShape));
    const others = [...API_RESPONSES].filter(([, shape]) => !read.has(shape)).map(([route]) => route);
    expect(others.toSorted()).toEqual(READ_BY_OTHERS.toSorted());
  });
});
