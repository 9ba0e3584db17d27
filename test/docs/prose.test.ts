import { describe, expect, it } from "vitest";
import { loadDocuments, loadSources, type TextFile } from "./documents.ts";

/** Where a file has a sentence, and the sentence. */
type Sentence = { path: string; text: string };

/** Sentences that make their reader look for the subject, each with what to write. */
const PATTERNS: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^(?:Who|Whom|Whose|Whoever|What|Whatever)\b(?!.*\?$)/, "begin with the noun that acts"],
  [
    /\b(?:is|are|was|were|be|been)(?:n't)?(?: not| also| always| never| still| all)? (?:come back to|looked at|looked after|asked for|waited for|told of|heard of|seen to|led on|gone on with)\b/,
    "say who does it: 'retries', 'checks', 'requests', 'waits for'",
  ],
  [/\b[Mm]endings?\b/, "'fix'"],
  [
    /\bso-manieth\b|\bthat (?:is|are) (?:none\b|no (?!longer\b|lower\b|more\b|less\b))/,
    "'nth', 'malformed', 'other than'",
  ],
];

/** Wider than code (`.oxfmtrc.json`), so that a docstring of one sentence stays a line. */
const MAX_WIDTH = 128;

const documents = loadDocuments();
const sources = loadSources().filter(({ path }) => path !== "test/docs/prose.test.ts");

const split = (text: string) => text.split(/(?<=[.?!]['")*_]*)\s+(?=[A-Z'"`*_([])/);
const join = (lines: string) => lines.replaceAll(/\s+/g, " ").trim();

/** The sentences of a document, without code and headings. */
function sentencesOf({ path, text }: TextFile): Sentence[] {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`]*`/g, "`…`").replaceAll(/^(?: {4,}\S|#).*$/gm, "");
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*#>|]|\d+\.)\s*)|\|/);
  return blocks
    .map((block) => join(block.replace(/^\s*(?:[-*#>|]+|\d+\.)\s*(?:\[.\])?/, "")))
    .flatMap(split)
    .map((sentence) => ({ path, text: sentence.replace(/^[*_"'([]+/, "") }));
}

/** The sentences of a file's comments. */
function commentsOf({ path, text }: TextFile): Sentence[] {
  const blocks = [...text.matchAll(/\/\*\*?([\s\S]*?)\*\//g)].map(([, inside = ""]) =>
    inside.replaceAll(/\n\s*\*/g, "\n"),
  );
  const lines = [...text.matchAll(/(?:^[ \t]*\/\/.*\n)+/gm)].map(([inside]) =>
    inside.replaceAll(/^[ \t]*\/\//gm, ""),
  );
  const paragraphs = [...blocks, ...lines].flatMap((one) => one.split(/\n\s*\n|\n\s*(?=@|- )/));
  return paragraphs
    .map(join)
    .flatMap(split)
    .map((sentence) => ({ path, text: sentence }));
}

/** The sentences that a file's tests are. */
function titlesOf({ path, text }: TextFile): Sentence[] {
  const titles = text.matchAll(/\b(?:describe|it)(?:\.\w+)?\(\s*"((?:[^"\\]|\\.)*)"/g);
  const tables = text.matchAll(/^\s*\]?\)\("((?:[^"\\]|\\.)*)",/gm);
  return [...titles, ...tables].map(([, title = ""]) => ({
    path,
    text: title.charAt(0).toUpperCase() + title.slice(1),
  }));
}

function findDialect(sentences: readonly Sentence[]): string[] {
  return sentences.flatMap(({ path, text }) =>
    PATTERNS.filter(([pattern]) => pattern.test(text)).map(([, advice]) => `${path}: ${text} → ${advice}`),
  );
}

describe("prose", () => {
  it("of documents has subject, verb and reason", () => {
    const sentences = documents.flatMap(sentencesOf);
    expect(sentences.length).toBeGreaterThan(500);
    expect(findDialect(sentences)).toEqual([]);
  });

  it("of comments has subject, verb and reason", () => {
    const sentences = sources.flatMap(commentsOf);
    expect(sentences.length).toBeGreaterThan(3_000);
    expect(findDialect(sentences)).toEqual([]);
  });

  it("of comments is wrapped at 128 letters", () => {
    const wide = sources.flatMap(({ path, text }) =>
      text
        .split("\n")
        .map((line, at) => ({ line, place: `${path}:${at + 1}` }))
        .filter(({ line }) => line.length > MAX_WIDTH && /^\s*(?:\/\*\*|\*|\/\/(?! oxlint-)) /.test(line)),
    );
    expect(wide.map(({ place }) => place)).toEqual([]);
  });

  it("of tests has subject, verb and reason", () => {
    const sentences = sources.filter(({ path }) => path.startsWith("test/")).flatMap(titlesOf);
    expect(sentences.length).toBeGreaterThan(1_500);
    expect(findDialect(sentences)).toEqual([]);
  });

  it("is found where it is clumsy", () => {
    const clumsy = [
      "Whom an operator disabled is not searched for.",
      "An announcement is come back to for an hour.",
      "A poll is waited for.",
      "Takes mendings out and expects to find each.",
      "Keys that are no keys.",
    ];
    const plain = ["Skips disabled drivers.", "What happened?", "A key that is no longer current."];
    const sentence = (text: string) => ({ path: "", text });
    expect(findDialect(clumsy.map(sentence))).toHaveLength(clumsy.length);
    expect(findDialect(plain.map(sentence))).toEqual([]);
  });
});
