/**
 * Code that runs inside the page, about its words and figures. Each function is sent there as text, so that it uses
 * nothing from outside itself.
 */

/** Words that are broken, and phone numbers, times and amounts that are spread over two lines. */
export function measureTextBoxes(): { problems: string[] } {
  const WORD = /[\p{L}\p{N}$.,:%]{3,}/gu;
  const VALUES = [
    // A phone number, a time with its half of the day, an amount with its currency.
    /(?:\+1\s?)?\(\d{3}\)\s?\d{3}-\d{4}/gu,
    /\b\d{1,2}:\d{2}(?:\s?[ap]\.?\s?m\b\.?)?/giu,
    /[-+−]?\s?(?:US\$|R\$|\$)\s?\d[\d.,]*(?:\/\p{L}+)?/gu,
    /\d[\d.,]*\s(?:h|mi|km|min)\b/gu,
  ];
  const isShown = (element: Element) => {
    const box = element.getBoundingClientRect();
    // Text for screen readers alone is clipped to a pixel.
    return box.width > 2 && box.height > 2 && element.checkVisibility({ visibilityProperty: true });
  };
  const blockOf = (node: Node) => {
    let element = node.parentElement;
    while (element?.parentElement && getComputedStyle(element).display === "inline")
      element = element.parentElement;
    return element ?? document.body;
  };
  // A line may be of several nodes: `until {time}` is two.
  const blocks = new Map<Element, Text[]>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement } = node;
    if (!(node instanceof Text) || !parentElement || !isShown(parentElement)) continue;
    if (parentElement.closest("script, style, noscript, option, .sr-only")) continue;
    const block = blockOf(node);
    blocks.set(block, [...(blocks.get(block) ?? []), node]);
  }
  const broken = new Set<string>();
  for (const [block, nodes] of blocks) {
    const text = nodes.map(({ data }) => data).join("");
    const locate = (offset: number, isEnd: boolean): [Text, number] => {
      let rest = offset;
      for (const node of nodes) {
        if (isEnd ? rest <= node.length : rest < node.length) return [node, rest];
        rest -= node.length;
      }
      const last = nodes.at(-1) ?? new Text();
      return [last, last.length];
    };
    const linesOf = (index: number, length: number) => {
      const range = document.createRange();
      range.setStart(...locate(index, false));
      range.setEnd(...locate(index + length, true));
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0.5);
      // Sizes may differ on one line: another line begins below the middle of what is above.
      const lines: { top: number; bottom: number }[] = [];
      for (const { top, bottom } of boxes) {
        const middle = (top + bottom) / 2;
        if (!lines.some((line) => middle > line.top && middle < line.bottom)) lines.push({ top, bottom });
      }
      return lines.length;
    };
    const describe = `<${block.nodeName.toLowerCase()}> "${text.trim().slice(0, 40)}"`;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const [node] = locate(index, false);
      // Addresses and names of devices have no place where they may be broken.
      const isAddress = text.includes("@") || text.includes("/") || word.length > 18;
      const mayBreak =
        isAddress && node.parentElement && getComputedStyle(node.parentElement).overflowWrap === "anywhere";
      if (!mayBreak && linesOf(index, word.length) > 1) broken.add(`breaks "${word}" in ${describe}`);
    }
    for (const { 0: value, index } of VALUES.flatMap((pattern) => [...text.matchAll(pattern)]))
      if (linesOf(index, value.length) > 1) broken.add(`spreads "${value}" over two lines in ${describe}`);
  }
  return { problems: [...broken] };
}

/** Lines of text that stand in the padding of what they are in, or beyond it. */
export function measurePadding(): { problems: string[] } {
  const problems = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement } = node;
    const text = (node.textContent ?? "").trim();
    if (!text || !parentElement?.checkVisibility({ visibilityProperty: true })) continue;
    if (parentElement.closest("script, style, noscript, option, select, .sr-only")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const right = Math.max(...[...range.getClientRects()].map((line) => line.right));
    for (let around: Element | null = parentElement; around; around = around.parentElement) {
      const style = getComputedStyle(around);
      // Scrolling and clipping elements have an edge of their own, and so have positioned ones.
      if (style.overflowX !== "visible" && style.overflowX !== "clip" && !around.matches("dialog, .card"))
        break;
      if (["absolute", "fixed"].includes(style.position) || style.display === "inline") break;
      const edge = around.getBoundingClientRect().right - parseFloat(style.paddingRight);
      if (parseFloat(style.paddingRight) >= 8 && right > edge + 2)
        problems.add(
          `stands ${Math.round(right - edge)} px in the padding of <${around.nodeName.toLowerCase()}>: "${text.slice(0, 40)}"`,
        );
    }
  }
  return { problems: [...problems] };
}

/** Amounts below each other, in a table or a list: each with its cents, in tabular figures, ending at one edge. */
export function measureMoney(): { problems: string[] } {
  const AMOUNT = /^[-+−]?\s?(?:US\$|R\$|\$)\s?\d[\d.,]*$/u;
  const CENTS = /[.,]\d\d$/u;
  const problems = new Set<string>();
  const isShown = (element: Element) => {
    const box = element.getBoundingClientRect();
    return box.width > 2 && box.height > 2 && element.checkVisibility({ visibilityProperty: true });
  };
  for (const list of document.querySelectorAll('table, ul, ol, dl, [role="table"], [role="grid"]')) {
    if (list.closest(".sr-only")) continue;
    const rows = [...list.querySelectorAll('tr, li, dl > div, dl > dd, [role="row"]')].filter(
      // Cards are read one by one, not down a column.
      (row) =>
        !row.matches(".card") &&
        row.closest('table, ul, ol, dl, [role="table"], [role="grid"]') === list &&
        isShown(row),
    );
    const columns: { text: string; right: number; top: number; isTabular: boolean }[][] = [];
    for (const row of rows) {
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      let column = 0;
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = (node.textContent ?? "").trim();
        const { parentElement } = node;
        if (!AMOUNT.test(text) || !parentElement || !isShown(parentElement)) continue;
        if (parentElement.closest("s, .sr-only")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const { right, top } = range.getBoundingClientRect();
        const isTabular = getComputedStyle(parentElement).fontVariantNumeric.includes("tabular-nums");
        (columns[column] ??= []).push({ text, right, top, isTabular });
        column += 1;
      }
    }
    for (const amounts of columns) {
      const [first] = amounts;
      // Beside each other they are no column.
      if (!first || !amounts.some(({ top }) => Math.abs(top - first.top) > 4)) continue;
      const all = amounts
        .map(({ text }) => text)
        .join(" · ")
        .slice(0, 80);
      if (amounts.some(({ text }) => !CENTS.test(text))) problems.add(`amounts without cents: ${all}`);
      if (amounts.some(({ isTabular }) => !isTabular)) problems.add(`figures that are not tabular: ${all}`);
      if (amounts.some(({ right }) => Math.abs(right - first.right) > 1))
        problems.add(`amounts that don't end at one edge: ${all}`);
    }
  }
  return { problems: [...problems] };
}
