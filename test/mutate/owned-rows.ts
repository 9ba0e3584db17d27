/** A guard in a source: from where to where it stands, and the text that stands there without it. */
export type PlacedGuard = {
  guard: string;
  from: number;
  to: number;
  replacement: string;
  /** Whether it is a part of the text of a statement, and no expression. */
  isInSql: boolean;
};

const ROOM = "db/queries/";
/** The columns that say whose a row is. */
const OWNER = String.raw`\w+\.(?:driverId|userId|inviterId|friendId|account)|(?:users|poolUsers|own)\.id`;
const CALL = new RegExp(String.raw`\b(?:eq|inArray|isAmong)\(\s*(?:sql\`\$\{)?(${OWNER})(?:\}\`)?,`, "g");
const IN_SQL = new RegExp(String.raw`\$\{(${OWNER})\} (?:=|IS) \$\{`, "g");

/**
 * The conditions in a file of queries that compare the owner of a row with a value or with some: without one, a driver
 * reaches others' rows.
 */
export function findOwnedRows(file: string, source: string): PlacedGuard[] {
  if (!file.startsWith(ROOM)) return [];
  const tables = tablesOf(source);
  const isColumn = (text: string) => tables.has(/^(\w+)\.\w+$/.exec(text.trim())?.[1] ?? "");
  const holds = /import \{[^}]*\bsql\b/.test(source) ? "sql`1`" : "undefined";
  const found = [
    ...[...source.matchAll(CALL)].map((match) => ({
      match,
      open: match.index + match[0].indexOf("("),
      isInSql: false,
    })),
    ...[...source.matchAll(IN_SQL)].map((match) => ({ match, open: endOf(match) - 1, isInSql: true })),
  ];
  return found.flatMap(({ match, open, isInSql }) => {
    const to = closedAt(source, open);
    const value = source.slice(endOf(match), to - 1);
    if (!isColumn(match[1] ?? "") || isColumn(value) || value.trim().startsWith(`"`)) return [];
    const guard = `${placeOf(source, match.index)}: only the driver's own`;
    return [{ guard, from: match.index, to, replacement: isInSql ? "1" : holds, isInSql }];
  });
}

/** The names of tables and of their aliases. */
function tablesOf(source: string): ReadonlySet<string> {
  const imported = [...source.matchAll(/import \{([^}]*)\} from "[^"]*\/schema\//g)];
  const aliases = [...source.matchAll(/const (\w+) = alias\(/g)];
  return new Set(
    [...imported, ...aliases].flatMap(([, names]) => names?.split(/[\s,]+/).filter(Boolean) ?? []),
  );
}

/** The function, or the constant, that a place of a source is in. */
function placeOf(source: string, at: number): string {
  const begun = [...source.slice(0, at).matchAll(/\bfunction (\w+)|^(?:export )?const (\w+)/gm)].at(-1);
  return begun?.[1] ?? begun?.[2] ?? "";
}

function endOf({ index, 0: text }: RegExpExecArray): number {
  return index + text.length;
}

/** Where the bracket ends that is opened at a place. */
function closedAt(source: string, open: number): number {
  let depth = 0;
  for (let at = open; at < source.length; at += 1) {
    const letter = source.charAt(at);
    if ("([{".includes(letter)) depth += 1;
    if (")]}".includes(letter)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return source.length;
}
