import { fromBase64 } from "../../durable/runtime/base64.ts";
import { findLanguageOfNumber } from "../../db/queries/accounts/drivers.ts";
import {
  insertTextReply,
  applyReport,
  hasTextArrivedLately,
  loadTextDelivery,
  type TextOutcome,
} from "../../db/queries/texts/delivery.ts";
import { type Language, LANGUAGES } from "../../db/shapes/language.ts";
import type { Deps } from "../../durable/deps.ts";
import { areaOf } from "../../durable/texts/phone-numbers.ts";
import { formatMessage } from "../../locales/format-message.ts";
import { clearAlert, raiseAlert } from "../../db/queries/fleet/alerts.ts";
import {
  hasTextFailed,
  isAboutNumber,
  type TextProblem,
  type TextStatus,
} from "../../db/shapes/text-delivery.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { parseTextStatus, problemOf, STOPPED_CODE } from "../../durable/messaging/sms.ts";
import type { IncomingText, TextReport } from "../contract/webhooks.ts";

/** A form that the gateway posts, and where it was told to post it. */
type SignedForm = { url: string; form: URLSearchParams; signature: string };

/**
 * Whether the gateway signed a form: HMAC-SHA1 with one of the account's tokens over the address and every field, name and
 * value, ordered by name, in Base64. Some of its parts write the port where it is the usual one.
 */
export async function isSignedByGateway(form: SignedForm, tokens: readonly string[]): Promise<boolean> {
  const checks = tokens.map((token) => isSignedBy(form, token));
  return (await Promise.all(checks)).includes(true);
}

async function isSignedBy({ url, form, signature }: SignedForm, token: string): Promise<boolean> {
  const given = parseSignature(signature);
  if (given === null) return false;
  const encoder = new TextEncoder();
  const hmac = { name: "HMAC", hash: "SHA-1" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(token), hmac, false, ["verify"]);
  const fields = [...form].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).flat();
  const checks = [url, withPort(url)].map((address) =>
    crypto.subtle.verify("HMAC", key, given, encoder.encode([address, ...fields].join(""))),
  );
  return (await Promise.all(checks)).includes(true);
}

function parseSignature(signature: string): Uint8Array<ArrayBuffer> | null {
  try {
    return fromBase64(signature);
  } catch {
    return null;
  }
}

function withPort(url: string): string {
  const { protocol, host, port } = new URL(url);
  if (port !== "") return url;
  return url.replace(`//${host}`, `//${host}:${protocol === "https:" ? 443 : 80}`);
}

const ANSWERS = {
  stop: "text_reply_stop",
  start: "text_reply_start",
  help: "text_reply_help",
} as const satisfies Record<ReplyKind, string>;

type ReplyDeps = Pick<Deps, "db" | "now" | "log" | "config" | "texts">;

/**
 * Does what a text from a phone asks for: no more texts, texts again, or help. A driver who answers a question by a reply is
 * told that nobody reads it: a question is answered by its link, and waits for a minute.
 * @returns the answer; null where the gateway answers by itself, or nothing was asked
 */
export async function takeReply(deps: ReplyDeps, incoming: IncomingText): Promise<string | null> {
  const { db, now, log, config, texts } = deps;
  const { MessageSid, From } = incoming;
  const reply = parseIncoming(incoming, config.sms?.sender === "short_code");
  const unread = isYesOrNo(incoming.Body) ? await unreadLanguage(deps, From) : null;
  if (!reply) return unread !== null && (await texts.admitReply(From)) ? unreadText(deps, unread) : null;
  log("info", "texts.reply", { kind: reply.kind, area: areaOf(From) });
  if (reply.kind !== "help") {
    const word = { id: MessageSid, phoneNumber: From, word: reply.kind, at: now() };
    // A repeated one asks for nothing new.
    if (!(await insertTextReply(db, word))) return null;
  }
  if ((reply.isAnswered && unread === null) || !(await texts.admitReply(From))) return null;
  if (unread !== null) return unreadText(deps, unread);
  return answerText(deps, reply.kind, (await findLanguageOfNumber(db, From)) ?? reply.language);
}

/** The language of a driver who gets our texts; null for anybody else: a yes to a number that is stopped means texts again. */
async function unreadLanguage({ db, now }: ReplyDeps, from: string): Promise<Language | null> {
  const { status } = await loadTextDelivery(db, from, now());
  return status === "stopped" ? null : findLanguageOfNumber(db, from);
}

function unreadText({ config }: ReplyDeps, language: Language): string {
  return formatMessage(language, "text_reply_unread", { product: config.productName });
}

/** The request. With keywords of the operator's own, the gateway says which it was and answers it. */
function parseIncoming({ Body, OptOutType }: IncomingText, isShortCode: boolean): Reply | null {
  const kind = OptOutType?.toLowerCase();
  if (kind === "stop" || kind === "start" || kind === "help")
    return { kind, language: "en", isAnswered: true };
  const reply = parseReply(Body);
  // For a short code the gateway answers nothing.
  return reply && isShortCode ? { ...reply, isAnswered: false } : reply;
}

function answerText({ config }: ReplyDeps, kind: ReplyKind, language: Language): string {
  const { productName: product, publicUrl, support } = config;
  const contact = support.email ?? support.phone ?? `${publicUrl}/contact`;
  return formatMessage(language, ANSWERS[kind], { product, contact });
}

/** Texts that failed in a row, whomever they were for, until an operator must look. */
const FAILED_IN_A_ROW = 3;
const UNDELIVERED_ALERT = "texts.undelivered";

type ReportDeps = Pick<Deps, "db" | "now" | "log">;

/** Keeps what the gateway reports of a text. One that we did not send, or that has ended, changes nothing. */
export async function takeReport(
  deps: ReportDeps,
  id: string,
  { MessageStatus, ErrorCode }: TextReport,
): Promise<void> {
  const { db, now, log } = deps;
  const status = parseTextStatus(MessageStatus);
  if (status === "other") log("warn", "texts.report.unknown");
  const outcome = outcomeOf(status, ErrorCode === undefined ? null : Number(ErrorCode));
  if (!(await applyReport(db, { id, status, outcome, now: now() }))) return;
  if (outcome?.kind === "failed") {
    const { problem } = outcome;
    log("warn", "texts.undelivered", { problem });
    if (!isAboutNumber(problem)) await reportSender(deps, problem);
  } else if (outcome?.kind === "arrived" && (await clearAlert(db, UNDELIVERED_ALERT))) {
    log("info", "texts.undelivered.recovered");
  }
}

/**
 * Raises an alert for what is not the number's: at once where a carrier objects to our texts, which it may do while others
 * let them through; else once none arrives any more, as for a sender that isn't registered or an account that is suspended.
 */
async function reportSender({ db, now, log }: ReportDeps, problem: TextProblem): Promise<void> {
  if (problem !== "filtered" && (await hasTextArrivedLately(db, FAILED_IN_A_ROW))) return;
  const name = problem === "filtered" ? "texts.filtered" : UNDELIVERED_ALERT;
  const at = now();
  if (await raiseAlert(db, { name, reason: problem, since: at, until: at + DAY_MS }))
    log("error", "texts.sender.failed", { problem });
}

/** The meaning of a report; null if it says nothing yet. A canceled text says nothing. */
function outcomeOf(status: TextStatus, code: number | null): TextOutcome | null {
  if (status === "delivered" || status === "read") return { kind: "arrived" };
  if (!hasTextFailed(status)) return null;
  // A messaging service takes a text to a number that was stopped, and fails it later.
  return code === STOPPED_CODE ? { kind: "stopped" } : { kind: "failed", problem: problemOf(code) };
}

/** The request in a text from a phone. */
type ReplyKind = "stop" | "start" | "help";

/** `isAnswered`: the gateway answers it by itself, so that another answer would be a second one. */
type Reply = { kind: ReplyKind; language: Language; isAnswered: boolean };

/** Words that the gateway knows by itself: https://help.twilio.com/articles/223134027 */
const GATEWAY_WORDS: Readonly<Record<string, ReplyKind>> = {
  STOP: "stop",
  STOPALL: "stop",
  UNSUBSCRIBE: "stop",
  CANCEL: "stop",
  END: "stop",
  QUIT: "stop",
  REVOKE: "stop",
  OPTOUT: "stop",
  START: "start",
  YES: "start",
  UNSTOP: "start",
  HELP: "help",
  INFO: "help",
};

/** The others that people use, without accents. Words of two languages stand in the one that is spoken more here. */
const OUR_WORDS: Readonly<Record<ReplyKind, Readonly<Record<Language, readonly string[]>>>> = {
  stop: {
    en: ["STOP ALL", "OPT OUT", "REMOVE", "REMOVE ME"],
    es: ["PARAR", "PARE", "ALTO", "BAJA", "DAR DE BAJA", "DARME DE BAJA", "CANCELAR", "DETENER", "NO MAS"],
    pt: ["PARA", "SAIR", "DESCADASTRAR", "REMOVER", "CANCELE", "CHEGA"],
  },
  start: {
    en: ["RESUME"],
    es: ["INICIAR", "VOLVER", "REANUDAR", "ALTA", "EMPEZAR"],
    pt: ["VOLTAR", "RETOMAR", "COMECAR"],
  },
  help: { en: ["SUPPORT"], es: ["AYUDA", "INFORMACION"], pt: ["AJUDA", "INFORMACAO"] },
};

/** Words that mean no more texts whatever follows them, as in `stop texting me`. */
const STOP_BEGINNINGS: Readonly<Record<string, Language>> = {
  STOP: "en",
  UNSUBSCRIBE: "en",
  "NO MORE TEXTS": "en",
  "NO MORE MESSAGES": "en",
  "DON T TEXT": "en",
  "DONT TEXT": "en",
  "DO NOT TEXT": "en",
  PARE: "es",
  PARAR: "es",
  "NO MAS MENSAJES": "es",
  "NO MAS TEXTOS": "es",
  "NO QUIERO MAS MENSAJES": "es",
  "NO ME ENVIEN": "es",
  "NO ME MANDEN": "es",
  SAIR: "pt",
  "NAO QUERO MAIS": "pt",
  "NAO ME ENVIE": "pt",
  "NAO ME MANDE": "pt",
};

/** Words of courtesy around a request, which change nothing of it. */
const COURTESY =
  "(?:PLEASE|PLS|PLZ|THANKS|THANK YOU|POR FAVOR|FAVOR|MUCHAS GRACIAS|GRACIAS|MUITO OBRIGAD[AO]|OBRIGAD[AO])";
const BEFORE_REQUEST = new RegExp(`^(?:${COURTESY}(?: |$))+`);
const AFTER_REQUEST = new RegExp(`(?:(?: |^)${COURTESY})+$`);

/** Answers to a question. */
const YES_OR_NO: Readonly<Record<Language, readonly string[]>> = {
  en: ["Y", "YES", "YEAH", "YEP", "TAKE", "TAKE IT", "N", "NO", "NOPE", "PASS"],
  es: ["SI", "TOMAR", "TOMALO", "LO TOMO", "DEJAR PASAR"],
  pt: ["SIM", "PEGAR", "PEGA", "NAO", "DEIXAR PASSAR"],
};

function isYesOrNo(body: string): boolean {
  const text = lettersOf(body);
  return LANGUAGES.some((language) => YES_OR_NO[language].includes(text));
}

/** A text's words in capitals, without accents, signs and words of courtesy. */
function lettersOf(body: string): string {
  return body
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toUpperCase()
    .replaceAll(/[^A-Z]+/g, " ")
    .trim()
    .replace(BEFORE_REQUEST, "")
    .replace(AFTER_REQUEST, "");
}

/** The text's request; null for anything else. */
export function parseReply(body: string): Reply | null {
  const text = lettersOf(body);
  const known = GATEWAY_WORDS[text];
  // The gateway knows a word only where it stands alone: what we read more into has no answer yet.
  const isExact = body.trim().toUpperCase() === text;
  if (known !== undefined) return { kind: known, language: "en", isAnswered: isExact };
  for (const kind of ["stop", "start", "help"] as const) {
    for (const language of LANGUAGES) {
      if (OUR_WORDS[kind][language].includes(text)) return { kind, language, isAnswered: false };
    }
  }
  const beginning = Object.keys(STOP_BEGINNINGS).find((words) => `${text} `.startsWith(`${words} `));
  const language = beginning === undefined ? undefined : STOP_BEGINNINGS[beginning];
  return language === undefined ? null : { kind: "stop", language, isAnswered: false };
}
