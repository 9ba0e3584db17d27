import { Window } from "happy-dom";

const { DOMParser, NodeFilter } = new Window();

/** The texts of some HTML as they are read, a line for each. */
export function textsIn(html: string): string[] {
  const { body } = parsed(html);
  const texts = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const lines: string[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) lines.push(oneLine(node.textContent));
  return lines.filter(Boolean);
}

/** The cells of each row of the table of a label or a caption in some HTML, the title row first. */
export function rowsOf(html: string, name: string): string[][] {
  const table = [...parsed(html).querySelectorAll("table")].find(
    (one) => (one.getAttribute("aria-label") ?? one.querySelector("caption")?.textContent) === name,
  );
  return [...(table?.querySelectorAll("tr") ?? [])].map((row) =>
    [...row.querySelectorAll("th, td")].map((cell) => oneLine(cell.textContent)),
  );
}

function parsed(html: string) {
  return new DOMParser().parseFromString(html, "text/html");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
