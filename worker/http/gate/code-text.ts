import type { Language } from "../../../db/shapes/language.ts";
import { formatMessage } from "../../../locales/format-message.ts";

/**
 * The text that brings a code, one segment long. Its last line names the page that may take the code over, in the form of
 * https://wicg.github.io/web-otp.
 */
export function codeText(
  language: Language,
  { product, code, publicUrl }: { product: string; code: string; publicUrl: string },
): string {
  return `${formatMessage(language, "text_code", { product, code })}\n@${new URL(publicUrl).hostname} #${code}`;
}
