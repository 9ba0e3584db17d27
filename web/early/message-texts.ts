import type { Language } from "../../db/shapes/language.ts";
import { HOME_REST } from "./page-root.ts";

/** The texts of one file, by the number that the build gave to each message. */
type Texts = Readonly<Record<number, (inputs: unknown) => string>>;

/** Each language's files: the messages of the dashboard's first paint, those of what it loads then, and all others. */
export const MESSAGE_GROUPS = ["first", "home", "rest"] as const;
export type MessageGroup = (typeof MESSAGE_GROUPS)[number];

const META = 'meta[name="messages"]';
const PRELOADED = 'link[rel="modulepreload"]';

/** All files of messages, which the HTML names. None in development, where each message has its texts itself. */
const files = attributesOf(META, "content").flatMap((content) => content.split(" "));
/** The files that the HTML names for its first screen, before any code preloads more. */
const preloaded = new Set(attributesOf(PRELOADED, "href"));

const texts = new Map<Language, Texts>();
const loads = new Map<string, Promise<void>>();
/** How often each file could not be fetched. */
const failures = new Map<string, number>();
/** The files that the page needs in any language that it is switched to. */
const wanted = new Set<MessageGroup>();
let current: Language = "en";

/** A message's text in the page's language. */
export function messageText(index: number, inputs: unknown): string {
  const text = texts.get(current)?.[index];
  if (!text) throw new Error(`the messages of this screen are not loaded: ${index}`);
  return text(inputs);
}

/** Loads what the first screen needs, which its HTML preloads; on a page that has slept, everything. */
export async function loadFirstMessages(language: Language): Promise<void> {
  current = language;
  const named = MESSAGE_GROUPS.filter((group) => preloaded.has(fileOf(language, group) ?? ""));
  await Promise.all((named.length > 0 ? named : MESSAGE_GROUPS).map(want));
}

/** Loads the messages of every screen. */
export async function loadAllMessages(): Promise<void> {
  await Promise.all(MESSAGE_GROUPS.map(want));
}

/** Resolves when the messages are there that a chunk needs, which is loaded with these files. */
export async function messagesOfChunk(chunkFiles: readonly string[] | undefined): Promise<void> {
  const scripts = chunkFiles?.filter((file) => file.endsWith(".js")) ?? [];
  const isHome =
    scripts.length > 0 &&
    scripts.every((file) => preloaded.has(`/${file}`) || file.startsWith(`assets/${HOME_REST}-`));
  await (isHome ? want("home") : loadAllMessages());
}

/** Loads what the page needs in another language; null if there is nothing to wait for. */
export function loadMessages(language: Language): Promise<void> | null {
  return files.length > 0 ? loadWanted(language) : null;
}

/** Switches to messages that are loaded. */
export function switchMessages(language: Language): void {
  current = language;
}

async function loadWanted(language: Language): Promise<void> {
  const groups = [...wanted];
  await Promise.all(groups.map((group) => load(language, group)));
  if (wanted.size > groups.length) await loadWanted(language);
}

/** Loads a file in the page's language, and in each to which the page is switched meanwhile. */
async function want(group: MessageGroup): Promise<void> {
  wanted.add(group);
  const loaded = new Set<Language>();
  while (!loaded.has(current)) {
    const language = current;
    await load(language, group);
    loaded.add(language);
  }
}

/** A try that is under way may fail by a network that is back by now: what joins it has one more of its own. */
function load(language: Language, group: MessageGroup): Promise<void> {
  const file = fileOf(language, group);
  if (file === undefined) return Promise.resolve();
  const known = loads.get(file);
  return known ? known.catch(() => loads.get(file) ?? begin(language, file)) : begin(language, file);
}

function begin(language: Language, file: string): Promise<void> {
  const loading = loadFile(language, file);
  loads.set(file, loading);
  loading.catch(() => loads.delete(file));
  return loading;
}

/** A browser may not fetch a module again that it failed to fetch once (Chromium doesn't), only one of another address. */
async function loadFile(language: Language, file: string): Promise<void> {
  const failed = failures.get(file) ?? 0;
  const address = failed === 0 ? file : `${file}?again=${failed}`;
  try {
    const module: { default: Texts } = await import(/* @vite-ignore */ address);
    texts.set(language, { ...texts.get(language), ...module.default });
  } catch (error) {
    failures.set(file, failed + 1);
    throw error;
  }
}

function fileOf(language: Language, group: MessageGroup): string | undefined {
  return files.find((file) => file.startsWith(`/assets/messages-${language}-${group}-`));
}

function attributesOf(selector: string, name: string): string[] {
  if (typeof document === "undefined") return [];
  return [...document.querySelectorAll(selector)].map((element) => element.getAttribute(name) ?? "");
}
