/**
 * A plugin of oxlint: SQL names tables and columns by the schema's objects (db/schema), so that one that is renamed, moved or
 * missing does not compile.
 */

/** As much of a syntax tree as the rules read. */
type Node = {
  type: string;
  name?: string;
  value?: unknown;
  tag?: Node;
  quasi?: Node;
  quasis?: readonly { value: { raw: string } }[];
  callee?: Node;
  object?: Node;
  property?: Node;
  arguments?: readonly Node[];
};
type Context = { report: (issue: { node: Node; message: string }) => void };

/** The words of SQL that our statements use, the functions, and what SQLite names by itself. Any other word is a raw name. */
export const SQL_WORDS: ReadonlySet<string> = new Set(
  `all and as asc by case cast collate desc distinct else end exists false from group having in inner is join left like limit
  not null on or order recursive select then true union when where with
  avg coalesce count hex instr iif json_array json_each json_group_array json_object json_patch json_valid lower max min random randomblob substr
  sum integer nocase excluded rowid value`.split(/\s+/),
);

/** The text of a string or template outside of quotes, with `?` for each expression. */
function sqlOf({ value, quasis = [] }: Node): string {
  const text = typeof value === "string" ? value : quasis.map((part) => part.value.raw).join("?");
  return text.replaceAll(/'[^']*'/g, "");
}

/** The names that texts of one file declare by `AS`, for a result's columns and for queries that are read like tables. */
export function declaredNames(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => [...text.matchAll(/\bas\s+(\w+)/gi)].map(([, name = ""]) => name)));
}

/** The words of a text that are neither SQL nor declared: names of tables and columns. */
export function rawNames(text: string, declared: ReadonlySet<string>): string[] {
  const words = text.match(/\b[a-z_]\w*/gi) ?? [];
  return words.filter((word) => !SQL_WORDS.has(word.toLowerCase()) && !declared.has(word));
}

/** Refuses raw names in `sql` templates, `sql.raw` and `sql.identifier`. */
const names = {
  create(context: Context) {
    const found: { node: Node; text: string }[] = [];
    return {
      TaggedTemplateExpression(node: Node) {
        if (node.tag?.name === "sql" && node.quasi) found.push({ node, text: sqlOf(node.quasi) });
      },
      CallExpression(node: Node) {
        const { object, property } = node.callee ?? {};
        if (object?.name !== "sql" || (property?.name !== "raw" && property?.name !== "identifier")) return;
        for (const argument of node.arguments ?? []) found.push({ node, text: sqlOf(argument) });
      },
      "Program:exit"() {
        const declared = declaredNames(found.map(({ text }) => text));
        for (const { node, text } of found) {
          const raw = rawNames(text, declared);
          if (raw.length === 0) continue;
          context.report({
            node,
            message: `Name tables and columns by the schema's objects, which the compiler checks, not as ${raw.join(", ")}.`,
          });
        }
      },
    };
  },
};

/** Refuses an insert of a query's rows, which name columns by their position. */
const inserts = {
  create(context: Context) {
    return {
      CallExpression(node: Node) {
        const { callee } = node;
        if (callee?.property?.name !== "select" || callee.object?.callee?.property?.name !== "insert") return;
        context.report({
          node,
          message:
            "An insert of a query names columns by position: use insertWhere or insertFrom (db/insert-where.ts).",
        });
      },
    };
  },
};

export default { meta: { name: "sql" }, rules: { names, inserts } };
