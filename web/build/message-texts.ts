import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build, type Plugin, type Rolldown } from "vite";
import { LANGUAGES, type Language } from "../../db/shapes/language.ts";
import type { MessageGroup } from "../early/message-texts.ts";

const WEB = resolve(import.meta.dirname, "..");
const MESSAGES = `${WEB}/messages/messages`;
const LOCALES = resolve(import.meta.dirname, "../../locales");
const MODULE = /\/web\/messages\/messages\/(?!_index)\w+\.js$/;
/** Where messages are called. */
const CALLER = /\/web\/(?:features|ui|routes|page)\/[\w./-]+\.tsx?$/;
/** A message's number, where a chunk uses it. The minifier writes 1000 as `1e3`. */
const USED = /\bmessageText(?:\$\d+)?\((\d+(?:e\d+)?)\b/g;
const RUNTIME = /\/web\/messages\/runtime\.js$/;
const PRELOAD_HELPER = /vite\/preload-helper/;
const ENTRY = "\0messages";

/** Each message has a number, which stands for it in the files of messages. */
const numbers = new Map(
  Object.keys(JSON.parse(readFileSync(`${LOCALES}/en.json`, "utf8")))
    .toSorted()
    .map((key, index) => [key, index]),
);

/** A compiled message: what it is called in its module, and outside of it where that differs. */
function parseMessage(code: string): { name: string; key: string } {
  const name = /^(?:export )?const (\w+) = .*=> \{\n\tconst locale = /m.exec(code)?.[1];
  if (name === undefined) throw new Error("the compiled messages are no longer what they were");
  return { name, key: /^export \{ \w+ as "([^"]+)" \}/m.exec(code)?.[1] ?? name };
}

/**
 * Takes the texts out of the page's chunks, which would have all languages in them. A message is reduced to its number in
 * the language's files, which `web/early/message-texts.ts` loads.
 */
export function messagesByNumber(): Plugin {
  return {
    name: "messages-by-number",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: [MODULE, RUNTIME, PRELOAD_HELPER, CALLER] },
      handler(code, id) {
        // The page's own store has the language (`web/features/language/locale.ts`).
        if (RUNTIME.test(id)) return { code: "export const overwriteGetLocale = () => {};", map: null };
        if (PRELOAD_HELPER.test(id)) return { code: withMessages(code), map: null };
        return { code: MODULE.test(id) ? withoutTexts(code) : withNumbers(code), map: null };
      },
    },
  };
}

/** Calls messages by their numbers, without a function for each. */
function withNumbers(code: string): string {
  let isChanged = false;
  const changed = code.replaceAll(/(?<![\w.$])m\.(\w+)\(/g, (call, name: string) => {
    const number = numbers.get(name);
    if (number === undefined) return call;
    isChanged = true;
    return `messageText(${number}, `;
  });
  return isChanged
    ? `import { messageText } from ${JSON.stringify(`${WEB}/early/message-texts.ts`)};\n${changed}`
    : code;
}

function withoutTexts(code: string): string {
  const { name, key } = parseMessage(code);
  const number = numbers.get(key);
  if (number === undefined) throw new Error(`no message is called ${key}`);
  return [
    `import { messageText } from ${JSON.stringify(`${WEB}/early/message-texts.ts`)};`,
    `const ${name} = (inputs) => messageText(${number}, inputs);`,
    key === name ? `export { ${name} };` : `export { ${name}, ${name} as ${JSON.stringify(key)} };`,
  ].join("\n");
}

/** Lets what loads a chunk wait for its messages, which are loaded at the same time. */
function withMessages(code: string): string {
  const changed = code.replace(
    "return baseModule().catch(handlePreloadError);",
    "return Promise.all([baseModule(), messagesOfChunk(deps)]).then(([module]) => module).catch(handlePreloadError);",
  );
  if (changed === code) throw new Error("chunks are no longer loaded as they were");
  return `import { messagesOfChunk } from ${JSON.stringify(`${WEB}/early/message-texts.ts`)};\n${changed}`;
}

/** The numbers of the messages that code of a chunk uses. */
export function messagesIn(code: string): number[] {
  return [...code.matchAll(USED)].map(([, number]) => Number(number));
}

/** The name of a file of messages, and its contents. */
export type MessagesFile = { name: string; source: string };

/**
 * The files of messages, three for each language.
 * @param firstChunks the files of the first paint, and `homeChunks` those that it loads then, whose messages stand apart
 */
export async function buildMessageTexts(
  bundle: Rolldown.OutputBundle,
  { firstChunks, homeChunks }: { firstChunks: ReadonlySet<string>; homeChunks: ReadonlySet<string> },
): Promise<MessagesFile[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const messagesOf = (wanted: typeof chunks) =>
    new Set(
      wanted.flatMap(({ modules }) => Object.values(modules).flatMap(({ code }) => messagesIn(code ?? ""))),
    );
  const first = messagesOf(chunks.filter(({ fileName }) => firstChunks.has(fileName)));
  const besides = (messages: Set<number>, ...known: ReadonlySet<number>[]) =>
    new Set([...messages].filter((message) => !known.some((others) => others.has(message))));
  const home = besides(messagesOf(chunks.filter(({ fileName }) => homeChunks.has(fileName))), first);
  const rest = besides(messagesOf(chunks), first, home);
  const groups = Object.entries({ first, home, rest } satisfies Record<MessageGroup, Set<number>>);
  const files: MessagesFile[] = [];
  for (const language of LANGUAGES)
    for (const [group, messages] of groups)
      files.push({
        name: `messages-${language}-${group}`,
        source: await bundleTexts(
          language,
          [...messages].toSorted((one, other) => one - other),
        ),
      });
  return files;
}

/** The compiled messages' files, by number. */
function filesByNumber(): Map<number | undefined, string> {
  const files = readdirSync(MESSAGES).filter((name) => MODULE.test(`${MESSAGES}/${name}`));
  return new Map(
    files.map((name) => {
      const file = `${MESSAGES}/${name}`;
      return [numbers.get(parseMessage(readFileSync(file, "utf8")).key), file];
    }),
  );
}

async function bundleTexts(language: Language, messages: readonly number[]): Promise<string> {
  const files = filesByNumber();
  const entry = [
    ...messages.map((number) => `import { text as t${number} } from ${JSON.stringify(files.get(number))};`),
    `export default { ${messages.map((number) => `${number}: t${number}`).join(", ")} };`,
  ].join("\n");
  const built = await build({
    configFile: false,
    root: WEB,
    logLevel: "warn",
    publicDir: false,
    plugins: [
      {
        name: "texts",
        enforce: "pre",
        resolveId: (id) => (id === ENTRY ? ENTRY : null),
        // A text needs nothing of what chooses the language.
        load: (id) =>
          id === ENTRY ? entry : RUNTIME.test(id) ? "export let getLocale, experimentalStaticLocale;" : null,
        transform: {
          filter: { id: MODULE },
          handler: (code) => ({
            code: `${code}\nexport { ${language}_${parseMessage(code).name} as text };`,
            map: null,
          }),
        },
      },
    ],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: ENTRY,
        preserveEntrySignatures: "strict",
        output: { format: "es", codeSplitting: false },
      },
    },
  });
  const [chunk] = "output" in built ? built.output : [];
  if (chunk?.type !== "chunk") throw new Error("the messages were not built");
  return chunk.code;
}
