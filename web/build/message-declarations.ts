import { readFileSync, writeFileSync } from "node:fs";
import type { Plugin } from "vite";

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
  const index = readFileSync(`${folder}/${INDEX}.js`, "utf8");
  const modules = [...index.matchAll(MODULE)].map(([, file = ""]) =>
    readFileSync(`${folder}/messages/${file}`, "utf8"),
  );
  const imported = `import type { LocalizedString } from "../runtime.js";`;
  // The development server has all messages in the index.
  const declarations = [index, ...modules].map(declarationsIn).filter(Boolean);
  writeFileSync(declarationsOf(folder), `${[imported, ...declarations].join("\n")}\n`);
}

/** Declares the messages again once their modules are made, which takes away all other files. */
export function declaredMessages({ outdir }: { outdir: string }): Plugin {
  return {
    name: "declared-messages",
    buildStart: { order: "post", sequential: true, handler: () => declareMessages(outdir) },
  };
}

/** The declarations of a module's messages, whose types its comments name. */
function declarationsIn(code: string): string {
  const inputs = [...code.matchAll(INPUTS)].map(([, type, name]) => `type ${name} = ${type};`);
  const messages = [...code.matchAll(MESSAGE)].map(([text, name, type]) => {
    const declared = `declare const ${name}: ${type};`;
    return text.startsWith("export") ? `export ${declared}` : declared;
  });
  return [...inputs, ...messages, ...(code.match(QUOTED_NAME) ?? [])].join("\n");
}
