/** A text as a literal of SQL: wrangler takes statements without parameters. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
