import { findLanguageOfNumber } from "../../db/queries/accounts/drivers.ts";
import { insertTextReply } from "../../db/queries/texts/delivery.ts";
import type { Language } from "../../db/shapes/language.ts";
import type { Deps } from "../../durable/deps.ts";
import { areaOf } from "../../durable/texts/phone-numbers.ts";
import { parseReply, type Reply, type ReplyKind } from "../../durable/texts/reply-words.ts";
import { formatMessage } from "../../locales/format-message.ts";
import type { IncomingText } from "../contract/webhooks.ts";

const ANSWERS = {
  stop: "text_reply_stop",
  start: "text_reply_start",
  help: "text_reply_help",
} as const satisfies Record<ReplyKind, string>;

type ReplyDeps = Pick<Deps, "db" | "now" | "log" | "config" | "texts">;

/**
 * Does what a text from a phone asks for: no more texts, texts again, or help.
 * @returns the answer; null where the gateway answers by itself, or nothing was asked
 */
export async function takeReply(deps: ReplyDeps, incoming: IncomingText): Promise<string | null> {
  const { db, now, log, config, texts } = deps;
  const { MessageSid, From } = incoming;
  const reply = parseIncoming(incoming, config.sms?.sender === "short_code");
  if (!reply) return null;
  log("info", "texts.reply", { kind: reply.kind, area: areaOf(From) });
  if (reply.kind !== "help") {
    const word = { id: MessageSid, phoneNumber: From, word: reply.kind, at: now() };
    // A repeated one asks for nothing new.
    if (!(await insertTextReply(db, word))) return null;
  }
  if (reply.isAnswered || !(await texts.admitReply(From))) return null;
  return answerText(deps, reply.kind, (await findLanguageOfNumber(db, From)) ?? reply.language);
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
