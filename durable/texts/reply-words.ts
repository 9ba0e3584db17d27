import { LANGUAGES, type Language } from "../../db/shapes/language.ts";

/** The request in a text from a phone. */
export type ReplyKind = "stop" | "start" | "help";

/** `isAnswered`: the gateway answers it by itself, so that another answer would be a second one. */
export type Reply = { kind: ReplyKind; language: Language; isAnswered: boolean };

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
  PARE: "es",
  PARAR: "es",
  SAIR: "pt",
};

/** The text's request; null for anything else. */
export function parseReply(body: string): Reply | null {
  const text = body
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toUpperCase()
    .replaceAll(/[^A-Z]+/g, " ")
    .trim();
  const known = GATEWAY_WORDS[text];
  // The gateway knows a word only where it stands alone: what we read more into has no answer yet.
  const isExact = body.trim().toUpperCase() === text;
  if (known !== undefined) return { kind: known, language: "en", isAnswered: isExact };
  for (const kind of ["stop", "start", "help"] as const) {
    for (const language of LANGUAGES) {
      if (OUR_WORDS[kind][language].includes(text)) return { kind, language, isAnswered: false };
    }
  }
  const beginning = STOP_BEGINNINGS[text.split(" ")[0] ?? ""];
  return beginning === undefined ? null : { kind: "stop", language: beginning, isAnswered: false };
}
