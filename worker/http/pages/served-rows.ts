import { caseName, factToken } from "../../contract/served-cases.ts";
import { escapeHtml } from "./escape-html.ts";

/** A row of a list, in one of the forms that it can take, and the facts in it. */
export type ServedRow = { form: string; facts: ReadonlyMap<string, string> };

const ROW = /<li data-row="(\S+) (\S+)"(.*?<\/li>)/gs;

/** Writes each list's rows where the page has the forms of one. A list that nothing is known of has none. */
export function serveRows(html: string, lists: ReadonlyMap<string, readonly ServedRow[]>): string {
  const forms = new Map(
    [...html.matchAll(ROW)].map(([, list = "", form = "", rest = ""]) => [
      caseName(list, form),
      `<li${rest}`,
    ]),
  );
  const isWritten = new Set<string>();
  return html.replaceAll(ROW, (_row, list: string) => {
    if (isWritten.has(list)) return "";
    isWritten.add(list);
    const rows = lists.get(list) ?? [];
    return rows.map(({ form, facts }) => fillIn(forms.get(caseName(list, form)) ?? "", facts)).join("");
  });
}

/** Puts facts where their tokens stand. */
export function fillIn(html: string, facts: Iterable<readonly [name: string, fact: string]>): string {
  return [...facts].reduce(
    (text, [name, fact]) => text.replaceAll(factToken(name), () => escapeHtml(fact)),
    html,
  );
}
