import { readFileSync, writeFileSync } from "node:fs";

const INDEX = "messages/_index";
const MODULE = /^export \* from '\.\/(\w+\.js)'$/gm;
const INPUTS = /^\/\*\* @typedef \{(.*)\} (\w+Inputs) \*\/$/gm;
const MESSAGE = /^(?:export )?const (\w+) = \/\*\* @type \{(.*)\} \*\/ \(\(/gm;
const QUOTED_NAME = /^export \{ \w+ as "[\w.]+" \}$/gm;

/** Where the declarations of a folder of messages stand. */
export const declarationsOf = (folder: string) => `${folder}/${INDEX}.d.ts`;

/**
 * Declares all messages of a folder in one file, which the compiler reads in place of their modules: one module for each
 * message is a third of all files that a type check would parse, and each would get a file of declarations.
 */
export function declareMessages(folder: string): void {
  const modules = [...readFileSync(`${folder}/${INDEX}.js`, "utf8").matchAll(MODULE)];
  const declarations = modules.map(([, file = ""]) =>
    declarationsIn(readFileSync(`${folder}/messages/${file}`, "utf8")),
  );
  const imported = `import type { LocalizedString } from "../runtime.js";`;
  writeFileSync(declarationsOf(folder), `${[imported, ...declarations].join("\n")}\n`);
}

/** The declarations of a module's messages, as its comments name their types. */
function declarationsIn(code: string): string {
  const inputs = [...code.matchAll(INPUTS)].map(([, type, name]) => `type ${name} = ${type};`);
  const messages = [...code.matchAll(MESSAGE)].map(([text, name, type]) => {
    const declared = `declare const ${name}: ${type};`;
    return text.startsWith("export") ? `export ${declared}` : declared;
  });
  return [...inputs, ...messages, ...(code.match(QUOTED_NAME) ?? [])].join("\n");
}
